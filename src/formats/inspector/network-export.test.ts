import { describe, expect, it } from 'vitest';
import { corpusText, outline, type Reading, readAll } from '../../../test/contract/files.ts';
import { sourceOf } from '../../../test/contract/memory-source.ts';
import type { EventEntry } from '../../model/entry.ts';
import { parseChallenges } from '../../protocol/auth-challenge.ts';
import type { ReadProblem } from '../format.ts';
import { inspector } from './inspector.ts';

const T = Date.UTC(2026, 2, 4, 10);
const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call"}';
const ANSWER = '{"jsonrpc":"2.0","id":1,"result":{ "n":1.0 }}';

/** An exchange at ten o'clock. */
function exchange(parts: object = {}): object {
  const timestamp = new Date(T).toISOString();
  return {
    id: 'f',
    timestamp,
    method: 'POST',
    url: 'http://x/mcp',
    requestHeaders: {},
    category: 'transport',
    ...parts,
  };
}

const read = (...exchanges: object[]): Promise<Reading> => readAll(inspector, JSON.stringify(exchanges));
const eventsOf = ({ entries }: Reading): EventEntry[] => entries.filter((entry) => entry.kind === 'event');

describe('a network export', () => {
  const corpus = (): Promise<Reading> => readAll(inspector, corpusText('inspector/network.json'));

  it('reads the messages in the bodies, and an event for each exchange', async () => {
    const reading = await corpus();
    expect(outline(reading.entries)).toEqual([
      ...['> initialize', 'http.exchange', 'http.exchange', 'http.exchange'],
      ...['> initialize', '< answers 0', 'http.exchange', '> notifications/initialized', 'http.exchange'],
      ...['http.exchange', '> tools/call', '> ping', '< answers 5', 'http.exchange'],
      ...['< notifications/progress', '< answers 4', 'http.exchange', '> ping', 'http.exchange'],
    ]);
    expect(reading.entries.map(({ atMs }) => atMs - T)).toEqual([
      ...[0, 8, 31, 80, 100, 112, 112, 115, 118, 124, 130, 140, 145, 145, 330, 330, 330, 400, 400],
    ]);
    expect(reading.problems).toEqual([]);
    expect(reading.session.header).toMatchObject({
      label: 'inspector',
      transport: 'streamable-http',
      url: 'https://mcp.example.com/mcp',
      startedAtMs: T,
    });
    expect(reading.session.infersDirections).toBeUndefined();
  });

  it('reports the exchange and the stream event of each message', async () => {
    const { messages } = await corpus();
    expect(messages.map(({ http, sse }) => [http, sse])).toEqual([
      ['{"exchange":1}', undefined],
      ['{"exchange":4}', undefined],
      ['{"exchange":4}', undefined],
      ['{"exchange":5}', undefined],
      ['{"exchange":7}', undefined],
      ['{"exchange":8}', undefined],
      ['{"exchange":8}', undefined],
      ['{"exchange":7}', '{"event":"message","id":"evt-1"}'],
      ['{"exchange":7}', '{"event":"message","id":"evt-2"}'],
      ['{"exchange":9}', undefined],
    ]);
    expect(messages[8]?.text).toBe('{"jsonrpc":"2.0","id":1,\n"result":{"content":[{"type":"text","text":"done"}]}}');
  });

  it('shows an authorization challenge', async () => {
    const [first] = eventsOf(await corpus());
    const raw = JSON.parse(first?.raw ?? '');
    expect(raw).toMatchObject({ exchange: 1, method: 'POST', path: '/mcp', status: 401, error: null });
    const [name, value] = raw.responseHeaders[0];
    expect(name).toBe('www-authenticate');
    expect(parseChallenges(value)).toHaveLength(1);
    expect(JSON.parse(first?.keepsakes?.transcript ?? '')).toEqual({
      id: 'fetch-1',
      timestamp: '2026-03-04T10:00:00.000Z',
      url: 'https://mcp.example.com/mcp',
      responseStatusText: 'Unauthorized',
      duration: 8,
      category: 'transport',
    });
  });

  it('shows a failed exchange', async () => {
    const raw = JSON.parse(eventsOf(await corpus()).at(-1)?.raw ?? '');
    expect(raw).toMatchObject({ exchange: 9, status: null, responseHeaders: [], error: 'fetch failed' });
  });

  it('does not keep bodies that are not JSON-RPC', async () => {
    const everything = JSON.stringify((await corpus()).entries);
    for (const secret of ['not-a-real-code', 'not-a-real-token', 'Missing token', 'Not Allowed']) {
      expect(everything).not.toContain(secret);
    }
    const { messages, entries } = await read(exchange({ category: 'auth', requestBody: CALL, responseBody: ANSWER }));
    expect([messages.length, entries.length]).toEqual([0, 1]);
  });
});

describe('a body', () => {
  it('keeps the exact text of messages in bodies, also in batches', async () => {
    const { messages } = await read(
      exchange({ requestBody: ` ${CALL}\n` }),
      exchange({ requestBody: `[${CALL}, 7,{"a":1},${CALL.replace('1', '2')}]`, responseBody: `[${ANSWER}]` }),
    );
    expect(messages.map(({ text, batch }) => [text, batch])).toEqual([
      [CALL, undefined],
      [CALL, '{"frame":1,"index":0,"of":2}'],
      [CALL.replace('1', '2'), '{"frame":1,"index":1,"of":2}'],
      [ANSWER, '{"frame":3,"index":0,"of":1}'],
    ]);
  });

  it('reads a body as an event stream by its content type, or by its content if it has no type', async () => {
    const responseBody = `event: endpoint\ndata: /messages?id=1\n\ndata: ${ANSWER}`;
    for (const responseHeaders of [{ 'Content-Type': 'Text/Event-Stream; charset=utf-8' }, {}, undefined]) {
      const { messages, problems } = await read(exchange({ requestBody: CALL, responseHeaders, responseBody }));
      expect(messages.map(({ text, sse }) => [text, sse])).toEqual([
        [CALL, undefined],
        [ANSWER, '{"event":"message"}'],
      ]);
      expect(problems).toEqual([]);
    }
    const plain = { 'content-type': 'text/plain' };
    expect((await read(exchange({ responseHeaders: plain, responseBody }))).messages).toEqual([]);
  });

  it('reports a body that should be JSON but is not', async () => {
    const json = { 'content-type': 'application/json' };
    const stream = { 'content-type': 'text/event-stream' };
    const { problems } = await read(
      exchange({ requestHeaders: json, requestBody: 'oops', responseHeaders: json, responseBody: '{"jsonrpc":' }),
      exchange({ responseHeaders: stream, responseBody: 'data: {"a\n\n' }),
    );
    expect(problems).toEqual([
      'element 1: its request body is not JSON',
      'element 1: its response body is not JSON',
      'element 2: its response body has an event that is not JSON',
    ]);
  });

  it('accepts a body that is a JSON object instead of a string, and lone surrogates in a body', async () => {
    const file = `[{"method":"POST","url":"u","category":"transport","requestBody":${ANSWER},"responseBody":"{\\"jsonrpc\\":\\"\ud83d\ude00\\ud800\\"}"}]`;
    const { messages } = await readAll(inspector, file);
    expect(messages.map(({ text }) => text)).toEqual([ANSWER, '{"jsonrpc":"\ud83d\ude00\\ud800"}']);
  });
});

describe('an exchange', () => {
  it('uses sequence numbers as times if the export has no times', async () => {
    const timeless = { timestamp: undefined, requestBody: CALL, responseBody: ANSWER, duration: 50 };
    const { session, entries } = await read(exchange(timeless), exchange(timeless));
    expect(outline(entries)).toEqual([
      ...['> tools/call', '< answers 0', 'http.exchange', '> tools/call', '< answers 2', 'http.exchange'],
    ]);
    expect(entries.map(({ atMs }) => atMs)).toEqual([0, 1, 2, 2, 3, 4]);
    expect(session.numbersTimes).toBe(true);
  });

  it('returns headers as pairs, the path with its query, and an invalid url unchanged', async () => {
    const reading = await read(
      exchange({ url: 'http://x:1/a/b?c=d#e', requestHeaders: { A: 'b', c: ['1', '2'], n: 7 } }),
      exchange({ url: 'nowhere' }),
    );
    expect(eventsOf(reading).map(({ raw }) => JSON.parse(raw))).toMatchObject([
      {
        exchange: 1,
        path: '/a/b?c=d',
        requestHeaders: [
          ['A', 'b'],
          ['c', '1'],
          ['c', '2'],
          ['n', '7'],
        ],
      },
      { exchange: 2, path: 'nowhere', requestHeaders: [] },
    ]);
  });

  it('skips and reports a malformed exchange', async () => {
    const file = `[${JSON.stringify(exchange())},7,{"method":"POST"},{"a":01},${JSON.stringify(exchange({ timestamp: '?' }))}]`;
    const problems: ReadProblem[] = [];
    const opened = await inspector.read(sourceOf(file), { onProblem: (problem) => problems.push(problem) });
    for await (const _ of opened.batches());
    expect(problems.map(({ place, what, contract }) => [place, contract ?? what])).toEqual([
      ['element 2', 'MCP event at element 2 must be a JSON object'],
      ['element 3', 'inspector transcript element 3 must have a method and a url'],
      ['element 4', 'invalid JSON in element 4'],
      ['element 5', '"timestamp" is not a time; the time before it is used'],
    ]);
  });
});
