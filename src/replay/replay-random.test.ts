import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SampleLedger } from '../../test/support/replay/sample-ledger.ts';
import { depsFor, type InProcess, REPLAY_OPTIONS, sessionFrom } from '../../test/support/replay/sample-talk.ts';
import type { Direction, JsonText } from '../model/entry.ts';
import type { RecordedSession } from '../model/session.ts';
import { replaySession } from './replay-session.ts';

interface Received {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
}

const INFO = { name: 'client', version: '1' };
const INITIALIZE = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: INFO },
};

describe('a random conversation', () => {
  type Move = {
    readonly kind: 'open' | 'put' | 'get' | 'ask' | 'slow' | 'read' | 'list';
    readonly pick: number;
    readonly waits: boolean;
  };
  const move = fc.record({
    kind: fc.constantFrom('open', 'put', 'get', 'ask', 'slow', 'read', 'list'),
    pick: fc.nat({ max: 20 }),
    waits: fc.boolean(),
  }) as fc.Arbitrary<Move>;

  it('matches completely if a random conversation is replayed against its own server', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(move, { maxLength: 25 }), async (moves) => {
        const session = converse(moves, 'first');
        const results = await replaySession(session, REPLAY_OPTIONS, depsFor(ledger('second')));
        const others = results.filter(({ verdict }) => verdict !== 'match' && verdict !== 'sent');
        expect(others.map(({ step, verdict, error, differences }) => [step.text, verdict, error, differences])).toEqual(
          [],
        );
      }),
    );
  });

  function ledger(word: string): InProcess {
    return (say) => {
      const server = new SampleLedger(word, say);
      return (line) => server.receive(line);
    };
  }

  /** Records a session with a ledger. A move that does not wait lets its response arrive with the next ones. */
  function converse(moves: readonly Move[], word: string): RecordedSession {
    const sent: [Direction, JsonText][] = [];
    let waiting: object[] = [];
    const server = new SampleLedger(word, (message) => waiting.push(message));
    const handles: string[] = [];
    let cursor: string | undefined;
    let id = 0;
    const say = (message: object): void => {
      sent.push(['client_to_server', JSON.stringify(message)]);
      server.receive(JSON.stringify(message));
    };
    const listen = (): void => {
      while (waiting.length > 0) {
        const arrived = waiting;
        waiting = [];
        for (const message of arrived) sent.push(['server_to_client', JSON.stringify(message)]);
        for (const message of arrived) receive(message as Received);
      }
    };
    const receive = ({ id: requested, method, result, params }: Received): void => {
      const { content, nextCursor } = (result ?? {}) as { content?: { text: string }[]; nextCursor?: string };
      if (nextCursor !== undefined) cursor = nextCursor;
      const uri = /"uri":"([^"]+)"/.exec(content?.[0]?.text ?? '')?.[1];
      if (uri !== undefined) handles.push(uri);
      if (method !== 'sampling/createMessage') return;
      const sample = { role: 'assistant', content: { type: 'text', text: `so ${JSON.stringify(params).length}` } };
      say({ jsonrpc: '2.0', id: requested, result: sample });
    };
    say({ jsonrpc: '2.0', id: id++, ...INITIALIZE });
    listen();
    say({ jsonrpc: '2.0', method: 'notifications/initialized' });
    for (const { kind, pick, waits } of moves) {
      const handle = handles[pick % Math.max(1, handles.length)] ?? 'ledger://none';
      const value = `v${pick}`;
      if (kind === 'list')
        say({ jsonrpc: '2.0', id: id++, method: 'tools/list', params: cursor === undefined ? {} : { cursor } });
      else if (kind === 'read') say({ jsonrpc: '2.0', id: id++, method: 'resources/read', params: { uri: handle } });
      else say(call(id++, kind, { handle, value }, kind === 'slow' ? { progressToken: `p${id}` } : undefined));
      if (waits) listen();
    }
    listen();
    // Use every handle: an unused one would differ in every run.
    for (const handle of handles) say(call(id++, 'get', { handle }));
    listen();
    return sessionFrom(sent);
  }
});

function call(id: number, name: string, args: object, meta?: object): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args, ...(meta && { _meta: meta }) } };
}
