import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  inputResponse,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { sampling } from './asking-tools.mjs';
import { text } from './samples.mjs';

const NAME = z.object({ name: z.string() });
const COLOR = z.object({ color: z.string() });
const CONSENT = z.object({ ok: z.boolean() });

const askName = () => elicit('What is your name?', NAME);

/** Tools that need more input than their arguments, and request it in their result. */
export function addInputTools(server, states) {
  const add = (name, description, answer) =>
    server.registerTool(`test_input_required_result_${name}`, { description }, ({ mcpReq }) => answer(mcpReq));

  add('elicitation', 'Asks for a name.', greet);
  add('sampling', 'Asks the model.', ({ inputResponses }) => {
    const { kind, result } = inputResponse(inputResponses, 'capital_question');
    if (kind === 'sampling') return text([result.content].flat()[0]?.text ?? '');
    return ask({ capital_question: sampling('What is the capital of France?', 100) });
  });
  add('list_roots', 'Asks for the roots.', ({ inputResponses }) => {
    const { kind, roots } = inputResponse(inputResponses, 'client_roots');
    if (kind === 'roots') return text(`Roots: ${roots.map(({ uri }) => uri).join(', ')}`);
    return ask({ client_roots: inputRequired.listRoots() });
  });
  add('capabilities', 'Asks for what the client can do.', ({ envelope, inputResponses }) => {
    if (inputResponses !== undefined) return text('Thank you.');
    const can = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? {};
    return ask({
      ...(can.sampling && { greeting: sampling('Generate a greeting', 50) }),
      ...(can.elicitation && { user_name: askName() }),
    });
  });
  addStatefulTools(add, states);
  addDiagnostics(server);
}

/** Tools that keep state, which the client returns with its next request. */
function addStatefulTools(add, states) {
  const confirm = async ({ inputResponses, requestState }) => {
    const agreed = acceptedContent(inputResponses, 'confirm', CONSENT);
    if (agreed && requestState() === 'asked') return text('state-ok');
    return ask({ confirm: elicit('Please confirm', CONSENT) }, await states.mint('asked'));
  };
  add('request_state', 'Asks for consent.', confirm);
  add('tampered_state', 'Asks for consent and takes no forged state.', confirm);
  add('multiple_inputs', 'Asks for three things at once.', async ({ inputResponses, requestState }) => {
    const requests = {
      user_name: askName(),
      greeting: sampling('Generate a greeting', 50),
      client_roots: inputRequired.listRoots(),
    };
    const given = Object.keys(requests).every((key) => inputResponse(inputResponses, key).kind !== 'missing');
    return given && requestState() === 'asked' ? text('Got all three.') : ask(requests, await states.mint('asked'));
  });
  add('multi_round', 'Asks twice.', async ({ inputResponses, requestState }) => {
    const { name } = acceptedContent(inputResponses, 'step1', NAME) ?? requestState() ?? {};
    const color = acceptedContent(inputResponses, 'step2', COLOR)?.color;
    if (name === undefined) {
      return ask({ step1: elicit('Step 1: What is your name?', NAME) }, await states.mint({}));
    }
    if (color !== undefined) return text(`${name} likes ${color}.`);
    return ask({ step2: elicit('Step 2: What is your favorite color?', COLOR) }, await states.mint({ name }));
  });
}

function addDiagnostics(server) {
  // The SDK refuses to ask a client for an undeclared capability, with the error that the suite expects.
  server.registerTool('test_missing_capability', { description: 'Needs a client that can sample.' }, () =>
    ask({ greeting: sampling('Generate a greeting', 50) }),
  );
  server.registerTool('test_streaming_elicitation', { description: 'Asks for a name.' }, ({ mcpReq }) => greet(mcpReq));
}

function greet({ inputResponses }) {
  const given = acceptedContent(inputResponses, 'user_name', NAME);
  return given ? text(`Hello, ${given.name}!`) : ask({ user_name: askName() });
}

/** A form elicitation for `inputRequests`. */
export function elicit(message, requestedSchema) {
  return inputRequired.elicit({ message, requestedSchema });
}

function ask(inputRequests, requestState) {
  return inputRequired({ inputRequests, ...(requestState !== undefined && { requestState }) });
}
