import { inputRequired, inputResponse } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { text } from './samples.mjs';

const USER = object({ username: string("User's response"), email: string("User's email address") }, [
  'username',
  'email',
]);

const DEFAULTS = object({
  name: { type: 'string', description: 'User name', default: 'John Doe' },
  age: { type: 'integer', description: 'User age', default: 30 },
  score: { type: 'number', description: 'User score', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', description: 'Verification status', default: true },
});

const ENUMS = object({
  untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
  titledSingle: { type: 'string', oneOf: titled('Option') },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
  titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
});

/** Tools that ask the client once: with a request before 2026-07-28, in their result since then. */
export function addAskingTools(server) {
  server.registerTool(
    'test_sampling',
    { description: 'Asks the model of the client.', inputSchema: z.object({ prompt: z.string() }) },
    ({ prompt }, { mcpReq }) => {
      const answer = inputResponse(mcpReq.inputResponses, 'answer');
      if (answer.kind === 'sampling') return text(`LLM response: ${[answer.result.content].flat()[0]?.text}`);
      return inputRequired({ inputRequests: { answer: sampling(prompt, 100) } });
    },
  );
  server.registerTool(
    'test_elicitation',
    { description: 'Asks the person.', inputSchema: z.object({ message: z.string() }) },
    ({ message }, context) => askPerson(context, message, USER, 'User response: '),
  );
  server.registerTool('test_elicitation_sep1034_defaults', { description: 'Asks with defaults.' }, (context) =>
    askPerson(context, 'Please review and update the form fields with defaults', DEFAULTS, 'Elicitation completed: '),
  );
  server.registerTool('test_elicitation_sep1330_enums', { description: 'Asks for choices.' }, (context) =>
    askPerson(context, 'Please select options from the enum fields', ENUMS, 'Elicitation completed: '),
  );
}

/** A sampling request with one text. */
export function sampling(prompt, maxTokens) {
  const messages = [{ role: 'user', content: { type: 'text', text: prompt } }];
  return inputRequired.createMessage({ messages, maxTokens });
}

function askPerson({ mcpReq }, message, requestedSchema, prefix) {
  const { kind, action, content } = inputResponse(mcpReq.inputResponses, 'answer');
  if (kind === 'elicit') return text(`${prefix}action=${action}, content=${JSON.stringify(content ?? {})}`);
  return inputRequired({ inputRequests: { answer: inputRequired.elicit({ message, requestedSchema }) } });
}

function object(properties, required = []) {
  return { type: 'object', properties, required };
}

function string(description) {
  return { type: 'string', description };
}

function titled(what) {
  return ['First', 'Second', 'Third'].map((nth, index) => ({ const: `value${index + 1}`, title: `${nth} ${what}` }));
}
