import { describe, expect, it } from 'vitest';
import { sessionOf } from '../../test/support/replay/sample-talk.ts';
import type { Entry, MessageEntry } from '../model/entry.ts';
import { entriesOf, type RecordedSession } from '../model/session.ts';
import { inOrder } from '../replay/step-order.ts';
import { type DialogueSide, dialoguesOf } from './recorded-dialogue.ts';

const ask = (id: number, name = 'a'): object => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });
const answer = (id: number, result: object = {}): object => ({ jsonrpc: '2.0', id, result });
const notice = (method: string, params: object = {}): object => ({ jsonrpc: '2.0', method, params });

async function only(session: RecordedSession, side: DialogueSide = 'target') {
  const [dialogue, ...others] = await dialoguesOf(session, side);
  if (dialogue === undefined || others.length > 0) throw new Error('Not one dialogue');
  return dialogue;
}

/** The session with some of its entries changed. */
async function changed(
  session: RecordedSession,
  change: (entry: MessageEntry) => Partial<MessageEntry>,
): Promise<RecordedSession> {
  const entries: Entry[] = [];
  for await (const entry of entriesOf(session)) {
    entries.push(entry.kind === 'message' ? { ...entry, ...change(entry) } : entry);
  }
  return {
    ...session,
    async *batches() {
      yield entries;
    },
  };
}

describe('the dialogues of a session', () => {
  it('returns the messages that arrived before each step, and the response to each request', async () => {
    const dialogue = await only(sessionOf(['>', ask(1), ask(2), '<', answer(2), '>', ask(3), '<', answer(1)]));
    const { steps, messages } = dialogue;
    expect([...inOrder([dialogue])].map(({ arrived }) => arrived.map(({ id }) => id))).toEqual([[], [], ['2']]);
    expect(steps.map(({ answer: given }) => given && messages.indexOf(given))).toEqual([4, 2, undefined]);
  });

  it('distinguishes client responses from requests with the same id, and names the request they answer', async () => {
    const question = { jsonrpc: '2.0', id: 1, method: 'roots/list' };
    const { steps, messages } = await only(sessionOf(['>', ask(1), '<', question, '>', answer(1), '<', answer(1)]));
    expect(steps.map(({ kind, answeredRequest: requested }) => [kind, requested?.method])).toEqual([
      ['request', undefined],
      ['response', 'roots/list'],
    ]);
    expect(messages[1]).toMatchObject({ from: 'server', answeredBy: 1, serves: 0 });
    expect(steps[0]?.answer).toBe(messages[3]);
  });

  it('links progress, cancellations and retries with input to their requests', async () => {
    const requested = { resultType: 'input_required', inputRequests: {}, requestState: 's' };
    const retry = {
      jsonrpc: '2.0',
      id: 3,
      method: 'tools/call',
      params: { name: 'b', inputResponses: {}, requestState: 's' },
    };
    const withToken = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'a', _meta: { progressToken: 7 } },
    };
    const { steps, messages } = await only(
      sessionOf([
        ...['>', withToken, '<', notice('notifications/progress', { progressToken: 7, progress: 1 })],
        ...['>', notice('notifications/cancelled', { requestId: 1 }), ask(2, 'b'), '<', answer(2, requested)],
        ...['>', retry, '<', answer(3)],
      ]),
    );
    expect(messages[1]).toMatchObject({ serves: 0 });
    expect(steps[0]).toMatchObject({ cancelledBy: 1, name: 'a' });
    expect(steps[2]).toMatchObject({ retriedBy: 3, name: 'b' });
    expect(steps[3]).toMatchObject({ retriedBy: undefined, name: 'b' });
  });

  it('finds the tool name of a request in a session of only requests and responses', async () => {
    const { steps } = await only(sessionOf(['>', ask(1, 'a'), '<', answer(1), '>', ask(2, 'b'), notice('x')]));
    expect(steps.map(({ name }) => name)).toEqual(['a', 'b', undefined]);
  });

  it('links progress and cancellations to requests that were made long before', async () => {
    const progress = notice('notifications/progress', { progressToken: 7, progress: 1 });
    const withToken = { ...ask(1), params: { name: 'a', _meta: { progressToken: 7 } } };
    const plain = Array.from({ length: 5 }, (_, index) => ['>', ask(index + 3), '<', answer(index + 3)]).flat();
    const cancel = notice('notifications/cancelled', { requestId: 2 });
    const { steps, messages } = await only(
      sessionOf(['>', withToken, ask(2), ...plain, '<', progress, '>', cancel, '<', answer(1)]),
    );
    expect(messages[12]).toMatchObject({ from: 'server', method: 'notifications/progress', serves: 0 });
    expect(steps[1]).toMatchObject({ cancelledBy: 7, name: 'a' });
  });

  it('returns a separate dialogue for each conversation', async () => {
    const session = await changed(sessionOf(['>', ask(1), ask(1), '<', answer(1), answer(1)]), ({ sequence }) => ({
      conversation: sequence % 2,
    }));
    const dialogues = await dialoguesOf(session, 'target');
    expect(dialogues.map(({ conversation, messages }) => [conversation, messages.length])).toEqual([
      [0, 2],
      [1, 2],
    ]);
  });

  it.each([
    ['target', ['edited', 'injected']],
    ['client', ['as seen', 'dropped']],
  ] as const)('returns what the %s received if messages were edited, dropped or injected', async (side, expected) => {
    const session = await changed(
      sessionOf(['>', ask(1, 'edited'), ask(2, 'dropped'), ask(3, 'injected')]),
      ({ sequence, text }) => {
        if (sequence === 0) return { modified: true, original: text.replace('edited', 'as seen') };
        return sequence === 1 ? { dropped: true } : { injected: true };
      },
    );
    const { steps } = await only(session, side);
    expect(steps.map(({ text }) => (JSON.parse(text) as { params: { name: string } }).params.name)).toEqual(expected);
  });
});
