import { acceptedContent, completable, inputRequired } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { elicit } from './input-tools.mjs';
import { PNG } from './samples.mjs';

const CONTEXT = z.object({ context: z.string() });
const WORDS = ['paris', 'park', 'party', 'test', 'testValue1'];

/** Prompts with every content type, one with completions and one that requests input. */
export function addPrompts(server) {
  server.registerPrompt('test_simple_prompt', { description: 'A text.' }, () =>
    messages({ type: 'text', text: 'This is a simple prompt for testing.' }),
  );
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'A text with two arguments.',
      argsSchema: z.object({
        arg1: completable(z.string().describe('First test argument'), (start) =>
          WORDS.filter((word) => word.startsWith(start)),
        ),
        arg2: z.string().describe('Second test argument'),
      }),
    },
    ({ arg1, arg2 }) => messages({ type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'A resource.', argsSchema: z.object({ resourceUri: z.string().describe('What to embed') }) },
    ({ resourceUri: uri }) =>
      messages(
        {
          type: 'resource',
          resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        },
        { type: 'text', text: 'Please process the embedded resource above.' },
      ),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'An image.' }, () =>
    messages(
      { type: 'image', data: PNG, mimeType: 'image/png' },
      { type: 'text', text: 'Please analyze the image above.' },
    ),
  );
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks for a context.' }, ({ mcpReq }) => {
    const given = acceptedContent(mcpReq.inputResponses, 'user_context', CONTEXT);
    if (given) return messages({ type: 'text', text: `In the context of ${given.context}.` });
    return inputRequired({ inputRequests: { user_context: elicit('What context should the prompt use?', CONTEXT) } });
  });
}

function messages(...contents) {
  return { messages: contents.map((content) => ({ role: 'user', content })) };
}
