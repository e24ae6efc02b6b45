import { describe, expect, it } from 'vitest';
import { corpusText, outline, readAll, writeAll } from '../../../test/contract/files.ts';
import { describeFormat } from '../../../test/contract/format-contract.ts';
import { ANSWER, CALL, expectSame, file, read, refusal } from '../../../test/contract/http-transcripts.ts';
import { sourceOf } from '../../../test/contract/memory-source.ts';
import { isLongRun } from '../../../test/support/long-run.ts';
import { compact } from '../../json/layout.ts';
import { ReelError } from '../../model/errors.ts';
import { entriesOf } from '../../model/session.ts';
import { httpSse, streamableHttp } from './http-transcript.ts';

describeFormat(streamableHttp, { corpus: 'streamable-http', knownAfterBytes: 60 });
describeFormat(httpSse, { corpus: 'http-sse', knownAfterBytes: 60 });

describe('a transcript', () => {
  it('derives the direction of each message from its entry', async () => {
    const {
      session: opened,
      entries,
      messages,
      problems,
    } = await readAll(streamableHttp, corpusText('streamable-http/doc-envelope.json'));
    expect(outline(entries)).toEqual(['> tools/call', '< answers 0', '< notifications/progress']);
    expect(messages.map(({ atMs }) => atMs)).toEqual([1000, 1001, 1002]);
    expect(messages.map(({ sse }) => sse)).toEqual([undefined, undefined, '{"event": "message","id": "evt-10"}']);
    expect(messages.map(({ keepsakes }) => keepsakes && compact(keepsakes.transcript ?? ''))).toEqual([
      undefined,
      undefined,
      '{"transport_context":{"headers":{"Last-Event-ID":"evt-9"}}}',
    ]);
    expect(opened).toMatchObject({
      format: 'streamable-http',
      header: { transport: 'streamable-http', startedAtMs: 1000, label: 'session', command: [] },
      footer: undefined,
    });
    expect(JSON.parse(opened.header.keepsakes?.transcript ?? '')).toEqual({
      transport_context: { headers: { 'MCP-Protocol-Version': '2025-06-18', 'Mcp-Session-Id': 'session-123' } },
    });
    expect(problems).toEqual([]);
  });

  it('reads string data and events without a message in an http-sse transcript', async () => {
    const { session: opened, entries, messages } = await readAll(httpSse, corpusText('http-sse/equiv-http-sse.json'));
    expect(outline(entries)).toEqual([
      ...['transcript.entry', '> tools/call', '< answers 0', '> tools/call', '< answers 2', '< response'],
    ]);
    expect(messages[1]?.text).toBe('{"jsonrpc":"2.0","id":"call-1","result":{"sum":3}}');
    expect(entries[0]).toMatchObject({ atMs: 999 });
    expect(opened.header).toMatchObject({ transport: 'sse', startedAtMs: 999 });
  });

  it('numbers messages by their entry', async () => {
    const opened = await streamableHttp.read(
      sourceOf(file(['{"response":null}', `{"request":[${CALL},${CALL}]}`, `{"response":${ANSWER}}`])),
      { onProblem: () => undefined },
    );
    const lines: unknown[] = [];
    for await (const entry of entriesOf(opened)) if (entry.kind === 'message') lines.push(entry.sourceLine);
    expect(lines).toEqual([2, 2, 3]);
  });

  it('accepts a transcript without entries', async () => {
    const { entries, problems } = await read();
    expect([entries, problems]).toEqual([[], []]);
    await expectSame(file([]));
  });

  it('accepts a byte order mark, and a transport after the entries', async () => {
    const text = `\uFEFF{"entries":[{"request":${CALL}}],"transport":"streamable-http"}`;
    expect((await readAll(streamableHttp, text)).messages).toHaveLength(1);
  });
});

describe('input that is not a transcript of the format', () => {
  it.each([
    [streamableHttp, '"http-sse"', 'streamable-http transcript transport must be "streamable-http", found "http-sse"'],
    [httpSse, '"streamable-http"', 'http-sse transcript transport must be "http-sse", found "streamable-http"'],
    [streamableHttp, '7', 'streamable-http transcript transport must be "streamable-http", found "missing"'],
    [streamableHttp, '"stdio"', 'streamable-http transcript transport must be "streamable-http", found "stdio"'],
  ])('rejects a transcript with a wrong transport: $id, %s', async ({ ...format }, transport, sent) => {
    const error = await refusal(`{"transport":${transport},"entries":[]}`, format);
    expect(error).toBeInstanceOf(ReelError);
    expect(error).toMatchObject({ code: 'session-unreadable', message: `memory: ${sent}` });
  });

  it('rejects a transcript without a transport', async () => {
    expect(await refusal('{"entries":[]}')).toMatchObject({
      message: 'memory: streamable-http transcript transport must be "streamable-http", found "missing"',
    });
  });

  it.each([
    ['{"a":1,"b":2}', 'an object with the keys "a", "b"; such a transcript has "entries"'],
    ['{"entries":{}}', 'an object with the key "entries"; such a transcript has an array of "entries"'],
    ['[]', 'no object; such a transcript has "entries"'],
    ['{"transport":', 'an object with no keys (cut off before its end); such a transcript has "entries"'],
    ['hello', 'no object (expected an object or an array at byte 0); such a transcript has "entries"'],
  ])('rejects other input and describes what it found: %s', async (text, sent) => {
    const error = await refusal(text);
    expect(error).toBeInstanceOf(ReelError);
    expect(error).toMatchObject({ message: `memory is not a streamable-http transcript: ${sent}` });
  });

  it('does not detect other JSON files as a transcript', () => {
    const heads = [
      '{"id":"s","started_at":"2026-03-04T10:00:00+00:00","transport":"streamable-http","messages":[{',
      '{"transport":"streamable-http","server_url":"https://example.com","messages":[',
      '{"transport":"streamable-http"',
      '{"log":{"entries":[{"request":{}}]}}',
      '{"entries":[{"title":"Diary"}]}',
      '{"transport":"stdio","entries":[{"request":{}}]}',
    ];
    for (const head of heads) {
      expect([head, streamableHttp.detect(head), httpSse.detect(head)]).toEqual([head, 'no', 'no']);
    }
  });

  it('detects a transcript as certain by its own transport, and as likely before the transport is seen', () => {
    const certain = '{"transport": "http-sse", "entries": [';
    expect([streamableHttp.detect(certain), httpSse.detect(certain)]).toEqual(['no', 'certain']);
    const context = '{"transport":"streamable-http","transport_context":{"headers":{"a":"b';
    expect([streamableHttp.detect(context), httpSse.detect(context)]).toEqual(['certain', 'no']);
    const open = '{"entries":[{"timestamp_ms":1,"request":{';
    expect([streamableHttp.detect(open), httpSse.detect(open)]).toEqual(['likely', 'likely']);
  });
});

describe('hostile transcripts', () => {
  // A recursive function overflows the stack at about 10,000 levels.
  const levels = isLongRun ? 100_000 : 30_000;
  const deep = `${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`;

  it.each([
    `{"request":{"params":${deep}},"transport_context":${deep}}`,
    `{"sse":{"data":${deep}}}`,
    `{"sse":{"data":${JSON.stringify(deep)},"event":${deep}}}`,
    `{"sse":{"id":${deep},"data":${JSON.stringify(`{"params":${deep}}`)}}}`,
    `{"timestamp_ms":${deep},"response":${deep}}`,
  ])('reads and rewrites entries that are tens of thousands of levels deep: %.30s', async (entry) => {
    const { session: opened, entries } = await read(entry, `{"request":${CALL}}`);
    expect(entries.length).toBeGreaterThan(0);
    const written = await writeAll(streamableHttp, opened);
    expect((await readAll(streamableHttp, written)).entries.length).toBe(entries.length);
  });

  it('skips and reports an entry that is not UTF-8', async () => {
    const [start = '', end = ''] = file([
      `{"request":${CALL}}`,
      '{"request":{"a":"?"}}',
      `{"response":${ANSWER}}`,
    ]).split('?');
    const bytes = new Uint8Array(Buffer.concat([Buffer.from(start), Buffer.from([0xff]), Buffer.from(end)]));
    const { messages, problems } = await readAll(streamableHttp, bytes);
    expect(messages).toHaveLength(2);
    expect(problems).toEqual([`entry 2: not UTF-8 at byte ${start.length}`]);
  });
});

describe('a value of the wrong type beside a message', () => {
  it.each([
    ['{"sse":{"event":5,"data":{}}}', 'entry 1: sse.event must be a string'],
    [
      '{"request":{"id":1,"method":"a"},"transport_context":"x"}',
      'entry 1: transport_context must be an object, found "x"; it is not used',
    ],
    [
      '{"request":{"id":1,"method":"a"},"transport_context":{"headers":5}}',
      'entry 1: headers must be an object or an array of pairs, found 5; they are not used',
    ],
  ])('reports a value of the wrong type beside a message in %s', async (entry, problem) => {
    const text = `{"transport":"streamable-http","entries":[${entry}]}`;
    expect((await readAll(streamableHttp, text)).problems).toEqual([problem]);
  });
});
