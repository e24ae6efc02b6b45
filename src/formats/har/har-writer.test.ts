import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { event, fullSession, header, message, NOON_MS, response, session } from '../../../test/contract/factories.ts';
import {
  convert,
  corpusNames,
  corpusText,
  entriesIn,
  outline,
  readAll,
  writeAll,
} from '../../../test/contract/files.ts';
import { harFaults } from '../../../test/contract/har-schema.ts';
import { anySession } from '../../../test/contract/random-sessions.ts';
import type { Entry } from '../../model/entry.ts';
import type { RecordedSession } from '../../model/session.ts';
import { readers } from '../registry.ts';
import { trace } from '../trace/trace.ts';
import { har } from './har.ts';

interface HarEntry {
  readonly startedDateTime: string;
  readonly time: number;
  readonly request: Readonly<Record<string, unknown>> & { readonly url: string; readonly postData?: { text: string } };
  readonly response: Readonly<Record<string, unknown>> & {
    readonly status: number;
    readonly content: { readonly text?: string; readonly size: number; readonly mimeType: string };
  };
  readonly timings: Readonly<Record<string, number>>;
  readonly _mcp: Readonly<Record<string, unknown>>;
}

/** The entries of the archive for a session. Also checks that the archive is valid. */
async function entriesOf(recorded: RecordedSession): Promise<HarEntry[]> {
  const text = await writeAll(har, recorded);
  const archive = JSON.parse(text) as { log: { entries: HarEntry[] } };
  expect(harFaults(archive)).toEqual([]);
  return archive.log.entries;
}

const EXCHANGE = {
  exchange: 0,
  method: 'POST',
  path: '/mcp?tenant=7',
  status: 200,
  requestHeaders: [['Content-Type', 'application/json; charset=utf-8']],
  responseHeaders: [
    ['content-type', 'text/event-stream'],
    ['Mcp-Session-Id', 's-1'],
  ],
  ms: { connect: 1, firstByte: 12, end: 18 },
  bytes: { in: 46, out: 120 },
  error: null,
};
const exchangeEvent = (parts: object = {}): Entry =>
  event({
    event: 'http.exchange',
    atMs: NOON_MS + 18,
    raw: JSON.stringify({ ...EXCHANGE, ...parts }),
    conversation: 1,
  });
const over = (exchange: number): { http: string; conversation: number } => ({
  http: `{"exchange":${exchange}}`,
  conversation: 1,
});
const overHttp = header({ transport: 'streamable-http', command: [], url: 'https://example.com/api/mcp' });

describe('the HAR writer', () => {
  const recorded = session(
    [
      message({ ...over(0) }),
      response({
        ...over(0),
        atMs: NOON_MS + 13,
        sse: '{"event":"message","id":"evt-1"}',
        text: '{"jsonrpc":"2.0","method":"notifications/progress"}',
      }),
      response({
        ...over(0),
        atMs: NOON_MS + 18,
        sse: '{"event":"message"}',
        text: '{"jsonrpc":"2.0",\n"id":1,"result":{"n":1.0}}',
      }),
      exchangeEvent(),
    ],
    { header: overHttp },
  );

  it('writes one entry per exchange with its HTTP details', async () => {
    const [entry, ...others] = await entriesOf(recorded);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      startedDateTime: '2026-03-04T12:00:00.000Z',
      time: 18,
      timings: { connect: 1, send: 0, wait: 11, receive: 6 },
      request: {
        method: 'POST',
        url: 'https://example.com/mcp?tenant=7',
        headers: [{ name: 'Content-Type', value: 'application/json; charset=utf-8' }],
        queryString: [{ name: 'tenant', value: '7' }],
        bodySize: 46,
        postData: { mimeType: 'application/json; charset=utf-8', text: message().text },
      },
      response: { status: 200, bodySize: 120 },
    });
  });

  it('writes the events of a stream as the response body', async () => {
    const [entry] = await entriesOf(recorded);
    const text =
      'event: message\nid: evt-1\ndata: {"jsonrpc":"2.0","method":"notifications/progress"}\n\n' +
      'event: message\ndata: {"jsonrpc":"2.0",\ndata: "id":1,"result":{"n":1.0}}\n\n';
    expect(entry?.response.content).toEqual({ size: text.length, mimeType: 'text/event-stream', text });
  });

  it('writes a file that is read back as the same messages and exchange', async () => {
    const { session: copy, entries } = await readAll(har, await writeAll(har, recorded));
    expect(copy.header).toEqual(overHttp);
    expect(entries.map(comparable)).toEqual((await entriesIn(recorded)).map(comparable));
    const exchange = entries.at(-1);
    expect(exchange?.kind === 'event' && JSON.parse(exchange.raw)).toEqual(EXCHANGE);
  });

  it('splits an exchange with several request bodies into several entries', async () => {
    const twice = [message({ ...over(3) }), message({ ...over(3), text: '{"jsonrpc":"2.0","method":"b"}' })];
    const entries = await entriesOf(session([...twice, exchangeEvent({ exchange: 3 })], { header: overHttp }));
    expect(entries.map(({ request, _mcp }) => [request.postData?.text, _mcp.exchange])).toEqual([
      [message().text, 3],
      ['{"jsonrpc":"2.0","method":"b"}', 3],
    ]);
  });

  it('writes an entry for a failed exchange, an unfinished exchange and a non-MCP exchange', async () => {
    const entries = await entriesOf(
      session(
        [
          exchangeEvent({ exchange: 1, status: null, error: 'the client left', responseHeaders: [] }),
          exchangeEvent({ exchange: 2, method: 'GET', path: '//evil.example/x', status: 404 }),
          message({ ...over(5) }),
        ],
        { header: overHttp },
      ),
    );
    expect(entries.map(({ request, response: { status, _error } }) => [request.url, status, _error])).toEqual([
      ['https://example.com/mcp?tenant=7', 0, 'the client left'],
      ['https://example.com//evil.example/x', 404, undefined],
      ['https://example.com/api/mcp', 0, 'no answer'],
    ]);
  });

  it('keeps the extra fields that a browser wrote for an exchange', async () => {
    const again = await convert(har, corpusText('har/browser.har'), har);
    expect(again).toContain('"serverIPAddress":"203.0.113.7"');
    expect(await convert(har, again, har)).toBe(again);
  });
});

describe('an archive of stdio traffic', () => {
  const call = '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"read file"}}';
  const requested = message({
    proxyId: 'q',
    text: '{"jsonrpc":"2.0","id":7,"method":"roots/list"}',
    direction: 'server_to_client',
  });
  const recorded = session([
    message({ proxyId: 'a', text: call }),
    { ...requested, atMs: NOON_MS + 1 },
    message({ proxyId: 'n', text: '{"jsonrpc":"2.0","method":"notifications/initialized"}' }),
    message({ proxyId: 'r', text: '{"jsonrpc":"2.0","id":7,"result":{"roots":[]}}', atMs: NOON_MS + 3 }),
    response({ proxyId: 'b', text: '{"jsonrpc":"2.0","id":7,"error":{"code":-1,"message":"no"}}', atMs: NOON_MS + 25 }),
    message({ proxyId: 'c', text: call.replace('7', '"8"') }),
    event(),
  ]);

  it('writes one entry per request and response, and one per message without a counterpart', async () => {
    const entries = await entriesOf(recorded);
    expect(entries.map(({ request, response: { status }, time }) => [request.url, status, time])).toEqual([
      ['mcp://my_server/tools/call/read%20file', 200, 25],
      ['mcp://my_server/notifications/initialized', 202, 0],
      ['mcp://my_server/tools/call/read%20file', 0, 0],
      ['mcp://my_server/roots/list', 200, 2],
    ]);
    expect(entries[0]?._mcp.messages).toMatchObject([
      { direction: 'client_to_server', proxyId: 'a', jsonrpcId: 7, method: 'tools/call' },
      { direction: 'server_to_client', proxyId: 'b', jsonrpcId: 7, correlatedId: 'a' },
    ]);
  });

  it('restores directions and pairs in order of time', async () => {
    const { entries, messages } = await readAll(har, await writeAll(har, recorded));
    expect(outline(entries)).toEqual([
      ...['> tools/call', '> notifications/initialized', '> tools/call', '< roots/list', '> answers 3', '< answers 0'],
    ]);
    expect(messages.map(({ atMs }) => atMs - NOON_MS)).toEqual([0, 0, 0, 1, 3, 25]);
  });

  it('reads a response without a request as such, beside a request with its id', async () => {
    const orphan = response({ proxyId: 'b', atMs: NOON_MS + 20, correlatedId: undefined });
    const once = await writeAll(har, session([orphan, message({ proxyId: 'a', atMs: NOON_MS + 12 })]));
    const { session: copy, messages } = await readAll(har, once);
    expect(messages.map(({ proxyId, correlatedId }) => [proxyId, correlatedId])).toEqual([
      ['a', undefined],
      ['b', undefined],
    ]);
    expect(await writeAll(har, copy)).toBe(once);
  });

  it('reads a response after its request if the clock was set back in between', async () => {
    const asked = message({ proxyId: 'a', atMs: NOON_MS + 5000 });
    const jumped = session([asked, response({ proxyId: 'b', correlatedId: 'a', atMs: NOON_MS })]);
    const { entries, messages } = await readAll(har, await writeAll(har, jumped));
    expect(outline(entries)).toEqual(['> tools/list', '< answers 0']);
    expect(messages.map(({ atMs }) => atMs - NOON_MS)).toEqual([5000, 0]);
  });
});

describe('an archive of overlapping streams', () => {
  const stream = (number: number, atMs: number, text: string): Entry =>
    response({ ...over(number), proxyId: `s${atMs}`, atMs: NOON_MS + atMs, sse: '{"event":"message"}', text });
  const note = '{"jsonrpc":"2.0","method":"notifications/message"}';
  const asks = '{"jsonrpc":"2.0","id":9,"method":"roots/list"}';
  const ended = (number: number, atMs: number, tookMs: number, method = 'POST'): Entry =>
    event({
      ...{ event: 'http.exchange', atMs: NOON_MS + atMs, conversation: 1 },
      raw: JSON.stringify({ ...EXCHANGE, exchange: number, method, ms: { end: tookMs } }),
    });
  const recorded = session(
    [
      message({ ...over(1), proxyId: 'a', atMs: NOON_MS + 10 }),
      stream(0, 20, note),
      stream(0, 30, asks),
      message({ ...over(2), proxyId: 'r', atMs: NOON_MS + 40, text: '{"jsonrpc":"2.0","id":9,"result":{}}' }),
      ended(2, 45, 5),
      response({ ...over(1), proxyId: 'b', correlatedId: 'a', atMs: NOON_MS + 50 }),
      ended(1, 55, 45),
      stream(0, 60, note),
      ended(0, 100, 100, 'GET'),
    ],
    { header: overHttp },
  );

  it('writes the entries in the order in which they began', async () => {
    const entries = await entriesOf(recorded);
    expect(entries.map(({ _mcp }) => _mcp.exchange)).toEqual([0, 1, 2]);
    const times = entries.map(({ startedDateTime }) => startedDateTime);
    expect(times).toEqual(times.toSorted());
  });

  it('reads overlapping streams in order of time, with the time of each event', async () => {
    const { entries } = await readAll(har, await writeAll(har, recorded));
    const facts = (all: readonly Entry[]): unknown[] => all.map((entry) => [entry.atMs, outline([entry])[0]?.[0]]);
    expect(facts(entries)).toEqual(facts(await entriesIn(recorded)));
  });
});

describe('the HAR writer on any session', () => {
  it('produces a valid archive that is unchanged after reading and rewriting it', async () => {
    await fc.assert(
      fc.asyncProperty(anySession, async (recorded) => {
        await entriesOf(recorded);
        const once = await writeAll(har, recorded);
        const { session: copy, problems } = await readAll(har, once);
        expect(problems).toEqual([]);
        expect(await writeAll(har, copy)).toBe(once);
      }),
    );
  });

  it.each(readers.map(({ id }) => id))('produces a valid archive from the samples of each format: %s', async (id) => {
    const reader = readers.find((candidate) => candidate.id === id) ?? har;
    const folder = id === 'json' ? 'session-file' : id;
    for (const name of corpusNames(folder).filter((name) => name !== 'not-utf8.jsonl')) {
      await entriesOf((await readAll(reader, corpusText(`${folder}/${name}`))).session);
    }
  });

  it.each([
    ['"startedDateTime":"', '"startedDateTime":"on ', 'startedDateTime: String does not match pattern'],
    ['"method":"POST",', '', 'request: Instance does not have required property "method"'],
    ['"queryString":[],', '', 'request: Instance does not have required property "queryString"'],
    ['"headersSize":-1', '"headersSize":"-1"', 'headersSize: Instance type "string" is invalid'],
    ['"wait":', '"waited":', 'timings: Instance does not have required property "wait"'],
  ])('fails schema validation when %s is replaced with %s', async (right, wrong, fault) => {
    const text = await writeAll(har, session([message({}), response({})]));
    const entries = text.indexOf('"entries"');
    const broken = text.slice(0, entries) + text.slice(entries).replace(right, wrong);
    expect(harFaults(JSON.parse(text))).toEqual([]);
    expect(harFaults(JSON.parse(broken)).join('\n')).toContain(fault);
  });

  it('contains every message of the session', async () => {
    const texts = (entries: readonly Entry[]): string[] =>
      entries.flatMap((entry) => (entry.kind === 'message' ? [entry.text] : [])).sort();
    const before = (await readAll(trace, await writeAll(trace, fullSession()))).entries;
    expect(texts((await readAll(har, await writeAll(har, fullSession()))).entries)).toEqual(texts(before));
  });
});

/** An entry reduced to what an archive preserves, with one form for absent values. */
function comparable(entry: Entry): unknown {
  return JSON.parse(JSON.stringify(entry.kind === 'event' ? { ...entry, raw: '' } : entry));
}
