import { describe, expect, it } from 'vitest';
import { corpusText, outline, readAll, writeAll } from '../../../test/contract/files.ts';
import { trace } from '../trace/trace.ts';
import { har } from './har.ts';

describe('an HTTP archive', () => {
  it('reads only the MCP traffic of an archive', async () => {
    const { session, entries, messages } = await readAll(har, corpusText('har/browser.har'));
    expect(outline(entries)).toEqual([
      ...['> initialize', '< answers 0', 'http.exchange', '> notifications/initialized', 'http.exchange'],
      ...['> tools/call', '< notifications/progress', '< answers 3', 'http.exchange'],
      ...['> tools/list', '< answers 6', 'http.exchange', 'http.exchange'],
    ]);
    expect(messages.map(({ atMs }) => atMs - Date.parse('2026-03-04T10:00:00Z'))).toEqual([
      ...[1000, 1020, 2000, 4000, 4100, 4100, 5000, 5010],
    ]);
    expect(session.header).toMatchObject({
      label: 'mcp.example.com',
      transport: 'streamable-http',
      url: 'https://mcp.example.com/mcp',
      startedAtMs: Date.parse('2026-03-04T10:00:01Z'),
    });
  });

  it('returns messages exactly as in the bodies, after decoding', async () => {
    const { messages } = await readAll(har, corpusText('har/browser.har'));
    expect(messages[1]?.text).toBe('{"jsonrpc":"2.0","id":1,"result":{"a":"\\u00e9"}}');
    expect(messages[5]?.text).toBe('{"jsonrpc":"2.0",\n"id":2,"result":{}}');
    expect(messages[7]?.text).toContain('größe');
    expect(messages.slice(3, 6).map(({ http, sse }) => [http, sse])).toEqual([
      ['{"exchange":5}', undefined],
      ['{"exchange":5}', '{"event":"message","id":"evt-1"}'],
      ['{"exchange":5}', '{"event":"message"}'],
    ]);
  });

  it('reports the HTTP method, path, status and headers of each exchange', async () => {
    const { entries } = await readAll(har, corpusText('har/browser.har'));
    const [first] = entries.filter((entry) => entry.kind === 'event');
    expect(JSON.parse(first?.raw ?? '')).toEqual({
      exchange: 2,
      method: 'POST',
      path: '/mcp?tenant=7',
      status: 200,
      requestHeaders: [['Accept', 'application/json, text/event-stream']],
      responseHeaders: [['Mcp-Session-Id', 's-1']],
      error: null,
    });
    expect(first?.keepsakes?.transcript).toContain('"serverIPAddress":"203.0.113.7"');
  });

  it('reports a null status for an exchange without a response', async () => {
    const text = corpusText('har/browser.har').replaceAll('"status": 200', '"status": 0');
    const { entries } = await readAll(har, text);
    const [first] = entries.filter((entry) => entry.kind === 'event');
    expect(JSON.parse(first?.raw ?? '')).toMatchObject({ status: null });
  });

  it('reads a damaged archive up to the damage and reports its byte offset', async () => {
    const text = corpusText('har/browser.har').replace(/\}\s*\]\s*\}\s*\}\s*$/, '} ; ]}}');
    const { messages, problems } = await readAll(har, text);
    expect(messages).toHaveLength(8);
    expect(problems).toEqual([
      `array: expected "," or "]" at byte ${Buffer.from(text).indexOf(' ; ') + 1}; the rest is not read`,
    ]);
  });

  it('rejects a file that is not an archive and describes what it found', async () => {
    await expect(readAll(har, '{"a":1}')).rejects.toMatchObject({
      message: 'memory is not a HAR file: an object with the key "a", and no "log"',
    });
  });

  it('reports which element has a body that cannot be decoded', async () => {
    const text = corpusText('har/browser.har').replace(/"text": "eyJ/, '"text": "%%%');
    const { messages, problems } = await readAll(har, text);
    expect(messages).toHaveLength(7);
    expect(problems).toEqual(['element 6: a body that is not base64 of UTF-8 text']);
  });

  const exchange = (
    start: number,
    ms: number,
    parts: { readonly sent?: string; readonly events?: readonly string[]; readonly more?: object },
  ): object => ({
    startedDateTime: new Date(Date.UTC(2026, 2, 4) + start).toISOString(),
    time: ms,
    request: {
      ...{ method: parts.sent === undefined ? 'GET' : 'POST', url: 'http://a/mcp', headers: [] },
      ...(parts.sent !== undefined && { postData: { mimeType: 'application/json', text: parts.sent } }),
    },
    response: {
      status: 200,
      headers: [],
      content: { mimeType: 'text/event-stream', text: parts.events?.map((data) => `data: ${data}\n\n`).join('') },
    },
    ...parts.more,
  });
  const archive = (...entries: object[]): string =>
    JSON.stringify({ log: { version: '1.2', creator: { name: 'browser' }, entries } });
  const ping = (id: number): string => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;
  const pong = (id: number): string => `{"jsonrpc":"2.0","id":${id},"result":{}}`;
  const note = '{"jsonrpc":"2.0","method":"notifications/message"}';
  const timesOf = (messages: readonly { readonly atMs: number }[]): number[] =>
    messages.map(({ atMs }) => atMs - Date.UTC(2026, 2, 4));

  it('keeps half a character in a body as an escape, so that every format can hold it', async () => {
    const sent = '{"jsonrpc":"2.0","method":"a","params":{"x":"\ud83e"}}';
    const { session, messages } = await readAll(har, archive(exchange(0, 1, { sent })));
    expect(messages.map(({ text }) => text)).toEqual([sent.replace('\ud83e', '\\ud83e')]);
    const { messages: copies } = await readAll(trace, await writeAll(trace, session));
    expect(copies.map(({ text }) => text)).toEqual(messages.map(({ text }) => text));
  });

  it('reads overlapping exchanges in order of time, whatever the order of the entries', async () => {
    const slow = exchange(0, 50, { sent: ping(1), events: [pong(1)] });
    const quick = exchange(10, 5, { sent: ping(2), events: [pong(2)] });
    const last = exchange(20, 5, { sent: ping(3), events: [pong(3)] });
    for (const text of [archive(slow, quick, last), archive(last, quick, slow)]) {
      const { messages } = await readAll(har, text);
      expect(outline(messages)).toEqual([
        ...['> ping', '> ping', '< answers 1', '> ping', '< answers 3', '< answers 0'],
      ]);
      expect(timesOf(messages)).toEqual([0, 10, 15, 20, 25, 50]);
    }
  });

  it('reads a request of the server before its response, if only the end of its stream has a time', async () => {
    const stream = exchange(0, 100, { events: [note, ping(7), note] });
    const answered = exchange(30, 1, { sent: pong(7) });
    const { messages } = await readAll(har, archive(stream, answered));
    expect(outline(messages)).toEqual([
      ...['< notifications/message', '< ping', '> answers 1', '< notifications/message'],
    ]);
    expect(timesOf(messages)).toEqual([30, 30, 30, 100]);
  });

  it('takes the times of events that a browser stored, and the events themselves if the body is missing', async () => {
    const at = (ms: number): number => (Date.UTC(2026, 2, 4) + ms) / 1000;
    const stored = [
      { time: at(12), eventName: 'message', eventId: 'e-1', data: note },
      { time: at(40), eventName: 'message', eventId: '', data: note },
    ];
    const more = { _eventSourceMessages: stored };
    for (const events of [[note, note], undefined]) {
      const { messages, entries } = await readAll(har, archive(exchange(0, 99, { ...(events && { events }), more })));
      expect(timesOf(messages)).toEqual([12, 40]);
      expect(entries.at(-1)).not.toHaveProperty('keepsakes.transcript', expect.stringContaining('eventId'));
    }
    const other = await readAll(har, archive(exchange(0, 99, { events: [note], more })));
    expect(timesOf(other.messages)).toEqual([99]);
  });

  it('keeps sessions separate and pairs messages within an exchange first', async () => {
    const body = (text: string): string => JSON.stringify({ mimeType: 'application/json', text });
    let seconds = 0;
    const entry = (session: string): string =>
      `{"startedDateTime":"2026-03-04T10:00:0${seconds++}Z","time":1,"request":{"method":"POST","url":"http://a/mcp",` +
      `"headers":[{"name":"mcp-session-id","value":"${session}"}],` +
      `"postData":${body('{"jsonrpc":"2.0","id":1,"method":"ping"}')}},` +
      `"response":{"status":200,"content":${body('{"jsonrpc":"2.0","id":1,"result":{}}')}}}`;
    const text = `{"log":{"version":"1.2","creator":{},"entries":[${entry('a')},${entry('b')},${entry('a')}]}}`;
    const { entries, messages } = await readAll(har, text);
    expect(entries.map((entry) => entry.kind !== 'other' && entry.conversation)).toEqual([
      ...[undefined, undefined, undefined, 1, 1, 1, undefined, undefined, undefined],
    ]);
    expect(outline(messages).filter((line) => line.startsWith('<'))).toEqual([
      ...['< answers 0', '< answers 2', '< answers 4'],
    ]);
  });
});
