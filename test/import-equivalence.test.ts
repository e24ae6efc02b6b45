import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeNormalised } from '../src/formats/other-tools/assay.ts';
import { readers, readSource, writers } from '../src/formats/registry.ts';
import type { Entry, MessageEntry } from '../src/model/entry.ts';
import type { RecordedSession } from '../src/model/session.ts';
import { writeAll } from './contract/files.ts';
import { sourceOf } from './contract/memory-source.ts';

/** The formats that store messages and can be read back. */
const formats = writers.filter(({ id }) => readers.some((reader) => reader.id === id));

/** The next message of one side in a random conversation. */
type Move =
  | { readonly kind: 'call'; readonly tool: string; readonly args: unknown }
  | { readonly kind: 'list' }
  | { readonly kind: 'sample' }
  | { readonly kind: 'answer'; readonly which: number; readonly fails: boolean; readonly value: unknown }
  | { readonly kind: 'orphan' }
  | { readonly kind: 'notify' };

const move: fc.Arbitrary<Move> = fc.oneof(
  fc.record({ kind: fc.constant('call' as const), tool: fc.string(), args: fc.jsonValue({ maxDepth: 1 }) }),
  fc.record({ kind: fc.constantFrom('list' as const, 'sample' as const, 'orphan' as const, 'notify' as const) }),
  fc.record({
    kind: fc.constant('answer' as const),
    which: fc.nat(),
    fails: fc.boolean(),
    value: fc.jsonValue({ maxDepth: 1 }),
  }),
);

/** Client and server both number their requests from 0, so that ids collide; neither side reuses an id. */
function conversationOf(moves: readonly Move[]): RecordedSession {
  const open: { id: number; ofClient: boolean }[] = [];
  const ids = { client: 0, server: 0 };
  const messages: MessageEntry[] = [];
  const say = (fromClient: boolean, payload: object): void => {
    const n = messages.length;
    const direction = fromClient ? 'client_to_server' : 'server_to_client';
    const text = JSON.stringify({ jsonrpc: '2.0', ...payload });
    messages.push({ kind: 'message', sequence: n, proxyId: `m${n}`, atMs: 1000 + n, direction, text });
  };
  const ask = (fromClient: boolean, request: object): void => {
    const id = fromClient ? ids.client++ : ids.server++;
    open.push({ id, ofClient: fromClient });
    say(fromClient, { id, ...request });
  };
  for (const next of moves) {
    if (next.kind === 'call') ask(true, { method: 'tools/call', params: { name: next.tool, arguments: next.args } });
    else if (next.kind === 'list') ask(true, { method: 'tools/list' });
    else if (next.kind === 'sample') ask(false, { method: 'sampling/createMessage' });
    else if (next.kind === 'orphan') say(false, { id: 'nobody', result: {} });
    else if (next.kind === 'notify')
      say(false, { method: 'notifications/progress', params: { progressToken: 0, progress: 1 } });
    else if (next.kind === 'answer' && open.length > 0) {
      const { id } = open[next.which % open.length] ?? { id: 0 };
      // Of two open requests with one id, the server's is answered first: without directions, a reader cannot tell them
      // apart.
      const ofServer = open.findIndex((request) => request.id === id && !request.ofClient);
      const place = ofServer >= 0 ? ofServer : open.findIndex((request) => request.id === id);
      const [{ ofClient } = { ofClient: true }] = open.splice(place, 1);
      say(!ofClient, { id, ...(next.fails ? { error: { code: 1, message: 'no' } } : { result: next.value }) });
    }
  }
  return {
    format: 'test',
    header: {
      id: '550e8400-e29b-41d4-a716-446655440000',
      startedAtMs: 1000,
      label: 'test',
      transport: 'stdio',
      command: ['server'],
      url: undefined,
      metadata: '{}',
    },
    footer: undefined,
    async *batches() {
      yield messages as readonly Entry[];
    },
  };
}

/** The steps and calls of a session, without times. */
async function meaningOf(session: RecordedSession): Promise<unknown[]> {
  let text = '';
  for await (const piece of writeNormalised(session, { episodeId: 'E' }).pieces) text += piece;
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ timestamp: _, ...event }) => event);
}

describe('one conversation', () => {
  it.each(formats)('a conversation has the same meaning after being written as $id and read again', async (writer) => {
    await fc.assert(
      fc.asyncProperty(fc.array(move, { maxLength: 25 }), fc.integer({ min: 1, max: 500 }), async (moves, cut) => {
        const session = conversationOf(moves);
        const bytes = await writeAll(writer, session);
        let first = true;
        for await (const batch of session.batches()) first = batch.length === 0;
        if (first) return;
        const onProblem = (problem: unknown): void => expect(problem).toBeUndefined();
        const again = await readSource(sourceOf(bytes, 'memory', cut), { onProblem }, writer.id);
        expect(await meaningOf(again)).toEqual(await meaningOf(session));
      }),
    );
  });
});
