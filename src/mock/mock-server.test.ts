import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sessionOf } from '../../test/support/replay/sample-talk.ts';
import type { Entry } from '../model/entry.ts';
import type { RecordedSession } from '../model/session.ts';
import { readEnvelope } from '../protocol/envelope.ts';
import { withIdAt } from '../protocol/id-splice.ts';
import { dialoguesOf } from '../recorded/recorded-dialogue.ts';
import type { ClientDialogue, MessageDelivery } from '../transport/inbound/inbound-transport.ts';
import { MockServer, type MockServerOptions } from './mock-server.ts';

/** A line of a conversation: its sender and its message. */
type Line = readonly ['>' | '<', string];

/** A client that collects what it receives, and answers requests. */
class LiveClient implements ClientDialogue {
  readonly conversation = 0;
  readonly isSingle: boolean;
  readonly takesApart = false;
  readonly told: string[] = [];
  readonly #answers: readonly string[];
  #say: (text: string) => void = () => undefined;
  #leave: () => void = () => undefined;
  #answered = 0;

  constructor(answers: readonly string[] = [], isSingle = false) {
    this.#answers = answers;
    this.isSingle = isSingle;
  }

  deliver(text: string, _delivery: MessageDelivery): boolean {
    this.told.push(text);
    const { kind, id } = readEnvelope(text);
    if (this.isSingle && kind === 'response') this.#leave();
    const answer = kind === 'request' && id !== undefined ? this.#answers[this.#answered++] : undefined;
    // A client answers only after it has received the whole request.
    if (answer !== undefined) this.#say(withIdAt(answer, 'id', id ?? ''));
    return true;
  }

  resume(): void {
    // This client accepts everything at once.
  }

  end(): void {
    // There is nothing to end.
  }

  talkTo(mockServer: MockServer): (text: string) => void {
    const events = mockServer.join(this, () => undefined);
    this.#leave = () => events.onEnd();
    this.#say = (text) => {
      const peek = { kind: 'invalid', key: undefined } as const;
      events.onMessage({ body: { kind: 'message', text, peek }, text, place: { conversation: 0 } });
    };
    return this.#say;
  }
}

async function mockServerOf(lines: readonly Line[], options: Partial<MockServerOptions> = {}): Promise<MockServer> {
  const usual = { match: 'normal', exhausted: 'error', timing: 'none', label: 'x', note: () => undefined } as const;
  const session = sessionOf(lines.flat(), (index) => 1000 * index);
  return new MockServer(await dialoguesOf(session, 'client'), { ...usual, ...options });
}

/** Serves conversations that were recorded in turn, each a list of client and server messages in alternation. */
async function mockServerOfConversations(conversations: readonly (readonly string[])[]): Promise<MockServer> {
  const lines = conversations.flatMap((texts, conversation) =>
    texts.map((text, index) => ({ text, index, conversation })),
  );
  const session = sessionOf(lines.flatMap(({ text, index }) => [index % 2 === 0 ? '>' : '<', text]));
  const apart: RecordedSession = {
    ...session,
    async *batches() {
      for await (const batch of session.batches()) {
        yield batch.map((entry, at) => ({ ...entry, conversation: lines[at]?.conversation ?? 0 }) as Entry);
      }
    },
  };
  const options = { match: 'normal', exhausted: 'error', timing: 'none', label: 'x', note: () => undefined } as const;
  return new MockServer(await dialoguesOf(apart, 'client'), options);
}

/** The parts of a call besides its request and response. */
interface Act {
  readonly argument: string;
  readonly progress: number;
  readonly questions: number;
  readonly changes: number;
  readonly fails: boolean;
}

const acts = fc.array(
  fc.record({
    argument: fc.oneof(
      fc.json({ maxDepth: 2 }),
      fc.constantFrom('1.0', '1', '12345678901234567890', '"\\u00e9"', '1e400'),
    ),
    progress: fc.nat(3),
    questions: fc.nat(2),
    changes: fc.nat(2),
    fails: fc.boolean(),
  }),
  { maxLength: 12 },
);

/** The conversation of one client that makes these calls one after the other. */
function linesOf(all: readonly Act[]): Line[] {
  let requested = 0;
  return all.flatMap(({ argument, progress, questions, changes, fails }, n): Line[] => [
    [
      '>',
      `{"id":${n},"method":"tools/call","params":{"name":"t","arguments":{"x":${argument}},"_meta":{"progressToken":"p${n}"}}}`,
    ],
    ...repeat(progress, (i): Line[] => [
      ['<', `{"method":"notifications/progress","params":{ "progress":${i},"progressToken":"p${n}"}}`],
    ]),
    ...repeat(questions, (): Line[] => {
      const id = requested++;
      return [
        ['<', `{"id":${id},"method":"sampling/createMessage","params":{"n":${id}}}`],
        ['>', `{"id":${id},"result":{"said":${id}}}`],
      ];
    }),
    [
      '<',
      fails ? `{"error":{"code":1.0,"message":"no"}, "id":${n}}` : `{"id":${n},"result":{"n":${n}, "x":${argument}}}`,
    ],
    ...repeat(changes, (): Line[] => [['<', `{"method":"notifications/tools/list_changed"}`]]),
  ]);
}

/** The same calls in parallel. The numbers choose which call continues next. */
function interleaved(all: readonly Act[], turns: readonly number[]): Line[] {
  const waiting = linesOf(all).reduce<Line[][]>((calls, line) => {
    if (line[1].includes('"tools/call"')) calls.push([]);
    calls.at(-1)?.push(line);
    return calls;
  }, []);
  const lines: Line[] = [];
  for (let n = 0; waiting.some((call) => call.length > 0); n++) {
    const open = waiting.filter((call) => call.length > 0);
    const next = open[(turns[n % Math.max(1, turns.length)] ?? 0) % open.length]?.shift();
    if (next !== undefined) lines.push(next);
  }
  return lines;
}

function repeat(times: number, make: (n: number) => Line[]): Line[] {
  return Array.from({ length: times }, (_, n) => make(n)).flat();
}

describe('MockServer', () => {
  it('sends the recorded client the recorded messages exactly, except for ids and tokens', async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (all) => {
        const lines = linesOf(all);
        const mockServer = await mockServerOf(lines);
        const client = new LiveClient(
          lines.filter(([from, text]) => from === '>' && !text.includes('"method"')).map(([, text]) => text),
        );
        const say = client.talkTo(mockServer);
        for (const [from, text] of lines) {
          if (from === '>' && text.includes('"method"')) say(live(text));
        }
        expect(client.told).toEqual(lines.filter(([from]) => from === '<').map(([, text]) => live(text)));
        expect(mockServer.report()).toMatchObject({ answered: all.length, unused: [], misses: [] });
      }),
    );
  });

  it('sends exactly the recorded messages, in any order, if requests overlapped', async () => {
    await fc.assert(
      fc.asyncProperty(acts, fc.array(fc.nat(), { maxLength: 200 }), async (all, turns) => {
        const lines = interleaved(all, turns);
        const mockServer = await mockServerOf(lines);
        const answers = lines.filter(([from, text]) => from === '>' && !text.includes('"method"'));
        const client = new LiveClient(answers.map(([, text]) => text));
        const say = client.talkTo(mockServer);
        for (const [from, text] of lines) if (from === '>' && text.includes('"method"')) say(live(text));
        const sent = lines.filter(([from]) => from === '<').map(([, text]) => live(text));
        expect(client.told.toSorted()).toEqual(sent.toSorted());
        expect(mockServer.report()).toMatchObject({ unused: [], misses: [] });
      }),
    );
  });

  it('waits for the response to a server request before it continues', async () => {
    const mockServer = await mockServerOf(
      linesOf([{ argument: '1', progress: 0, questions: 2, changes: 1, fails: false }]),
    );
    const client = new LiveClient();
    const say = client.talkTo(mockServer);
    say('{"id":9,"method":"tools/call","params":{"name":"t","arguments":{"x":1}}}');
    expect(client.told).toHaveLength(1);
    say('{"id":0,"result":{"said":"something else"}}');
    expect(client.told).toHaveLength(2);
    say('{"id":1,"result":{}}');
    expect(client.told.slice(2)).toEqual([
      '{"id":9,"result":{"n":0, "x":1}}',
      '{"method":"notifications/tools/list_changed"}',
    ]);
  });

  it('does not respond to a request that is cancelled while it waits', async () => {
    const mockServer = await mockServerOf(
      linesOf([{ argument: '1', progress: 0, questions: 1, changes: 0, fails: false }]),
    );
    const client = new LiveClient();
    const say = client.talkTo(mockServer);
    say('{"id":9,"method":"tools/call","params":{"name":"t","arguments":{"x":1}}}');
    say('{"method":"notifications/cancelled","params":{"requestId":9}}');
    say('{"id":0,"result":{}}');
    expect(client.told).toHaveLength(1);
  });

  it('distinguishes server requests with the same id', async () => {
    const mockServer = await mockServerOf(
      linesOf([{ argument: '1', progress: 0, questions: 1, changes: 0, fails: false }]),
      {
        exhausted: 'repeat',
      },
    );
    const client = new LiveClient();
    const say = client.talkTo(mockServer);
    say('{"id":8,"method":"tools/call","params":{"name":"t","arguments":{"x":1}}}');
    say('{"id":9,"method":"tools/call","params":{"name":"t","arguments":{"x":1}}}');
    expect(client.told.map((text) => readEnvelope(text).id)).toEqual(['0', '"mcpreel-1"']);
    say('{"id":"mcpreel-1","result":{}}');
    expect(client.told.at(-1)).toBe('{"id":9,"result":{"n":0, "x":1}}');
  });

  it('tracks the position in the recording per client', async () => {
    const ask = '{"id":1,"method":"x","params":{}}';
    const mockServer = await mockServerOf([
      ['>', ask],
      ['<', '{"id":1,"result":"one"}'],
      ['>', ask],
      ['<', '{"id":1,"result":"two"}'],
    ]);
    const [a, b] = [new LiveClient(), new LiveClient()];
    const [sayA, sayB] = [a.talkTo(mockServer), b.talkTo(mockServer)];
    sayA(ask);
    sayB(ask);
    sayB(ask);
    sayA(ask);
    expect([a.told, b.told]).toEqual(Array(2).fill(['{"id":1,"result":"one"}', '{"id":1,"result":"two"}']));
  });

  it('prefers the recorded request with the same metadata', async () => {
    const ask = (version: string): string => `{"id":1,"method":"x","params":{"_meta":${metaOf(version)}}}`;
    const mockServer = await mockServerOf([
      ['>', ask('1999')],
      ['<', '{"id":1,"error":{"code":-32022,"message":"no"}}'],
      ['>', ask('2026-07-28')],
      ['<', '{"id":1,"result":"yes"}'],
      ['>', ask('2026-07-28')],
      ['<', '{"id":1,"result":"again"}'],
    ]);
    const client = new LiveClient();
    const say = client.talkTo(mockServer);
    for (const version of ['2026-07-28', '2026-07-28', '2030-01-01']) say(ask(version));
    expect(client.told).toEqual([
      '{"id":1,"result":"yes"}',
      '{"id":1,"result":"again"}',
      '{"id":1,"error":{"code":-32022,"message":"no"}}',
    ]);
  });

  it('notifies subscribers after it answers a request without a conversation', async () => {
    const params = `"_meta":${metaOf('2026-07-28')}`;
    const changed = (id: number): string =>
      `{"method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":${id}}}}`;
    const mockServer = await mockServerOf([
      ['>', `{"id":1,"method":"subscriptions/listen","params":{${params}}}`],
      ['>', `{"id":2,"method":"x","params":{${params}}}`],
      ['<', '{"id":2,"result":{}}'],
      ['<', changed(1)],
    ]);
    const [listener, other] = [new LiveClient([], true), new LiveClient([], true)];
    listener.talkTo(mockServer)(`{"id":8,"method":"subscriptions/listen","params":{${params}}}`);
    other.talkTo(mockServer)(`{"id":9,"method":"x","params":{${params}}}`);
    expect([listener.told, other.told]).toEqual([[changed(8)], ['{"id":9,"result":{}}']]);
  });

  it.each([
    ['a probe', ['{"id":0,"method":"server/discover"}']],
    ['a handshake', ['{"id":0,"method":"initialize"}', '{"method":"notifications/initialized"}']],
    ['a ping', ['{"id":0,"method":"ping"}']],
    ['nothing', []],
  ])('gives no recorded conversation to a client that sends only %s', async (_, sent) => {
    const probe = ['{"id":0,"method":"server/discover"}', '{"id":0,"error":{"code":-32601,"message":"no"}}'];
    const talk = (conversation: number): string[] => [
      '{"id":0,"method":"initialize"}',
      '{"id":0,"result":{}}',
      '{"id":1,"method":"x"}',
      `{"id":1,"result":{"of":${conversation}}}`,
    ];
    const mockServer = await mockServerOfConversations([probe, talk(1), sent.slice(0, 1), talk(3)]);
    const of = (): string | undefined => {
      const live = new LiveClient();
      live.talkTo(mockServer)('{"id":1,"method":"x"}');
      return live.told[0];
    };
    const say = new LiveClient().talkTo(mockServer);
    for (const text of sent) say(text);
    expect([of(), of()]).toEqual(['{"id":1,"result":{"of":1}}', '{"id":1,"result":{"of":3}}']);
  });

  it('counts every request without a recorded response, and lists the first 1000', async () => {
    const mockServer = await mockServerOf([
      ['>', '{"id":1,"method":"x"}'],
      ['<', '{"id":1,"result":{}}'],
    ]);
    const say = new LiveClient().talkTo(mockServer);
    for (let id = 0; id < 1001; id++) say(`{"id":${id},"method":"y"}`);
    const { missed, forwarded, misses } = mockServer.report();
    expect({ missed, forwarded, told: misses.length }).toEqual({ missed: 1001, forwarded: 0, told: 1000 });
  });

  it('sends no response if the recorded request was cancelled and never answered', async () => {
    const mockServer = await mockServerOf([
      ['>', '{"id":1,"method":"x"}'],
      ['>', '{"method":"notifications/cancelled","params":{"requestId":1}}'],
    ]);
    const client = new LiveClient();
    client.talkTo(mockServer)('{"id":5,"method":"x"}');
    expect(client.told).toEqual([]);
    expect(mockServer.report().misses).toEqual([]);
  });
});

/** The metadata of a request of the newest revision. */
function metaOf(version: string): string {
  return `{"io.modelcontextprotocol/protocolVersion":"${version}","io.modelcontextprotocol/clientCapabilities":{}}`;
}

/** The text as a client with other ids and progress tokens sends it. */
function live(text: string): string {
  const isOfServer = text.includes('"sampling/createMessage"') || text.includes('"said"');
  const renamed = text.replace(/"progressToken":"p(\d+)"/, '"progressToken":$1.5');
  return isOfServer ? renamed : renamed.replace(/"id":(\d+)/, '"id":"live-$1"');
}
