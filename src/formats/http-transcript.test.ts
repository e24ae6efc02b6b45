import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { event, header, message, NOON_MS, response, session } from '../../test/contract/factories.ts';
import {
  convert,
  corpusNames,
  corpusText,
  outline,
  type Reading,
  readAll,
  writeAll,
} from '../../test/contract/files.ts';
import { describeFormat } from '../../test/contract/format-contract.ts';
import { hostileBytes } from '../../test/contract/hostile-bytes.ts';
import { sourceOf } from '../../test/contract/memory-source.ts';
import { sameJson } from '../json/compare.ts';
import { compact } from '../json/layout.ts';
import { sliceAt } from '../json/splice.ts';
import { ReelError } from '../model/errors.ts';
import { entriesOf } from '../model/session.ts';
import type { Problem } from './format.ts';
import { httpSse, streamableHttp } from './http-transcript.ts';

describeFormat(streamableHttp, { corpus: 'streamable-http', knownAfterBytes: 60 });
describeFormat(httpSse, { corpus: 'http-sse', knownAfterBytes: 60 });

const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call"}';
const ANSWER = '{"jsonrpc":"2.0","id":1,"result":{"é":1.0}}';
const PROGRESS = '{"jsonrpc":"2.0","method":"notifications/progress"}';

const file = (entries: readonly string[], transport = 'streamable-http', more = ''): string =>
  `{"transport":"${transport}",${more}"entries":[${entries.join(',')}]}`;
const read = (...entries: string[]): Promise<Reading> => readAll(streamableHttp, file(entries));
const refusal = async (text: string, format = streamableHttp): Promise<unknown> =>
  readAll(format, text).catch((thrown: unknown) => thrown);

/** The sentence with which an import of a transcript with these entries fails. */
async function contracts(...entries: string[]): Promise<(string | undefined)[]> {
  const problems: Problem[] = [];
  const opened = await streamableHttp.read(sourceOf(file(entries)), { onProblem: (problem) => problems.push(problem) });
  for await (const _ of entriesOf(opened));
  return problems.map(({ contract }) => contract);
}

/** Expects that a transcript is the same once it was read and written. */
async function expectSame(text: string, format = streamableHttp): Promise<void> {
  const written = await convert(format, text, format);
  expect(JSON.parse(written)).toEqual(JSON.parse(text));
  expect(sameJson(written, text)).toBe(true);
}

describe('a transcript', () => {
  it('is read with the directions of its entries', async () => {
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

  it('of the older transport has strings for data, and events that carry no message', async () => {
    const { session: opened, entries, messages } = await readAll(httpSse, corpusText('http-sse/equiv-http-sse.json'));
    expect(outline(entries)).toEqual([
      ...['transcript.entry', '> tools/call', '< answers 0', '> tools/call', '< answers 2', '< response'],
    ]);
    expect(messages[1]?.text).toBe('{"jsonrpc":"2.0","id":"call-1","result":{"sum":3}}');
    expect(entries[0]).toMatchObject({ atMs: 999 });
    expect(opened.header).toMatchObject({ transport: 'sse', startedAtMs: 999 });
  });

  it('numbers its messages by their entries', async () => {
    const opened = await streamableHttp.read(
      sourceOf(file(['{"response":null}', `{"request":[${CALL},${CALL}]}`, `{"response":${ANSWER}}`])),
      { onProblem: () => undefined },
    );
    const lines: unknown[] = [];
    for await (const entry of entriesOf(opened)) if (entry.kind === 'message') lines.push(entry.sourceLine);
    expect(lines).toEqual([2, 2, 3]);
  });

  it('may have no entry at all', async () => {
    const { entries, problems } = await read();
    expect([entries, problems]).toEqual([[], []]);
    await expectSame(file([]));
  });

  it('may begin with a byte order mark, and have its transport last', async () => {
    const text = `\uFEFF{"entries":[{"request":${CALL}}],"transport":"streamable-http"}`;
    expect((await readAll(streamableHttp, text)).messages).toHaveLength(1);
  });
});

describe('the time of an entry', () => {
  const times = async (...entries: string[]): Promise<number[]> =>
    (await read(...entries)).messages.map(({ atMs }) => atMs);

  it('is its own before that of its message', async () => {
    const stamped = '{"timestamp_ms":7,"timestamp":8,"jsonrpc":"2.0","method":"x"}';
    expect(await times(`{"timestamp_ms":5,"request":${stamped}}`, `{"request":${stamped}}`)).toEqual([5, 7]);
    expect(await times(`{"timestamp_ms":null,"request":${stamped}}`)).toEqual([7]);
    expect(await times('{"sse":{"data":{"timestamp":8,"method":"x"}}}')).toEqual([8]);
  });

  it('is the one before it where it has none, and for the first ones the next', async () => {
    const bare = `{"request":${CALL}}`;
    expect(
      await times(bare, `{"timestamp_ms":5,"request":${CALL}}`, bare, `{"timestamp_ms":3,"request":${CALL}}`),
    ).toEqual([5, 5, 5, 3]);
  });

  it('is the number of the message where there is none at all, whatever events that carry no message say', async () => {
    const endpoint = '{"timestamp_ms":999,"sse":{"event":"endpoint","data":"/x"}}';
    const { entries, session: opened } = await read(`{"request":${CALL}}`, endpoint, `{"response":${ANSWER}}`);
    expect(entries.map(({ atMs }) => atMs)).toEqual([0, 999, 1]);
    expect(opened).toMatchObject({ header: { startedAtMs: 0 }, numbersTimes: true });
  });

  it.each(['-1', '1.5', '"7"', 'true', '[]', '1e400', '8640000000000001', `[${'['.repeat(1e5)}${']'.repeat(1e5)}]`])(
    'must be a whole number, and is not %.20s',
    async (stamp) => {
      const entries = [`{"timestamp_ms":5,"request":${CALL}}`, `{"timestamp_ms":${stamp},"response":${ANSWER}}`];
      const { messages, problems } = await read(...entries);
      expect(messages.map(({ atMs }) => atMs)).toEqual([5, 5]);
      const what = 'timestamp_ms must be a whole number, 0 or more';
      expect(problems).toEqual([`entry 2: ${what}; the time before it is used`]);
      expect(await contracts(...entries)).toEqual([`streamable-http transcript entry 2 ${what}`]);
    },
  );
});

describe('the data of an event', () => {
  const dataOf = async (data: string): Promise<Reading> => read(`{"sse":{"event":"message","id":7,"data":${data}}}`);
  const asString = JSON.stringify;

  it.each([
    ['an object', ANSWER],
    ['a string', asString(ANSWER)],
    ['a string with white space around the message', asString(` \n${ANSWER}\n`)],
    ['a string in a string', asString(asString(ANSWER))],
    ['a string in a string with escapes of its own', asString(asString(ANSWER).replace('é', '\\u00e9'))],
    ['a string that escapes what it need not', asString(ANSWER).replace('é', '\\u00e9')],
  ])('may be %s', async (_, data) => {
    const { messages, problems } = await dataOf(data);
    expect(messages).toMatchObject([
      { text: ANSWER, direction: 'server_to_client', sse: '{"event":"message","id":7}' },
    ]);
    expect(problems).toEqual([]);
    await expectSame(file([`{"sse":{"event":"message","id":7,"data":${data}}}`]));
  });

  it.each([
    ['an array', `[${ANSWER}, ${PROGRESS}]`],
    ['a string with an array', asString(`[${ANSWER},${PROGRESS}]`)],
    ['a string with a tall array', asString(`[\n${ANSWER},\n${PROGRESS}]`)],
    ['a string in a string with an array', asString(asString(`[${ANSWER},${PROGRESS}]`))],
  ])('may be a batch: %s', async (_, data) => {
    const { messages, problems } = await dataOf(data);
    expect(messages.map(({ text, batch }) => [text, batch])).toEqual([
      [ANSWER, '{"frame":0,"index":0,"of":2}'],
      [PROGRESS, '{"frame":0,"index":1,"of":2}'],
    ]);
    expect(problems).toEqual([]);
    const entry = `{"sse":{"event":"message","id":7,"data":${data}},"transport_context":{"a":[1.0]}}`;
    await expectSame(file([entry, entry, `{"sse":{"data":${ANSWER}}}`, entry]));
  });

  it('that holds half a character keeps it as an escape, so that every format can hold it', async () => {
    const text = '{"jsonrpc":"2.0","method":"\ud800"}';
    const { messages } = await dataOf(asString(text));
    expect(messages[0]?.text).toBe('{"jsonrpc":"2.0","method":"\\ud800"}');
    await expectSame(file([`{"sse":{"data":${asString(text)}}}`]));
  });

  it.each([
    ['no JSON', '"/mcp/messages?session=1"'],
    ['nothing', '""'],
    ['a number', '"7"'],
    ['a broken message', asString(ANSWER.slice(1))],
    ['an empty batch', '[]'],
    ['a batch of anything', '[1,"x"]'],
    ['more strings in strings than anyone means', [1, 2, 3, 4, 5].reduce((text) => asString(text), '{}')],
  ])('that is %s is kept beside the messages', async (_, data) => {
    const { entries, problems } = await dataOf(data);
    const raw = `{"sse":{"event":"message","id":7,"data":${data}}}`;
    expect(entries).toEqual([{ kind: 'event', event: 'transcript.entry', atMs: 0, raw }]);
    expect(problems).toEqual([]);
    await expectSame(file([raw]));
  });

  it.each(['endpoint', 'ping', 'Message', ''])('of the event %j carries no message', async (name) => {
    const entry = `{"timestamp_ms":3,"sse":{"event":"${name}","data":${ANSWER}}}`;
    const { entries, messages } = await read(entry);
    expect([entries, messages]).toEqual([[{ kind: 'event', event: 'transcript.entry', atMs: 3, raw: entry }], []]);
    await expectSame(file([entry]));
  });

  it.each(['{"data":DATA}', '{"event":null,"data":DATA}', '{"id":"e","retry":10,"data":DATA}'])(
    'is a message where the event has no name: %s',
    async (sse) => {
      const entry = `{"sse":${sse.replace('DATA', ANSWER)}}`;
      expect((await read(entry)).messages).toHaveLength(1);
      await expectSame(file([entry]));
    },
  );
});

describe('what an entry may not be', () => {
  it.each([
    ['{"timestamp_ms":1}', 'must contain exactly one of request, response, or sse'],
    [`{"request":${CALL},"response":${ANSWER}}`, 'must contain exactly one of request, response, or sse'],
    [`{"request":${CALL},"sse":{"data":{}}}`, 'must contain exactly one of request, response, or sse'],
    ['{"request":null}', 'must contain exactly one of request, response, or sse'],
    ['{"request":null,"response":null}', 'must contain exactly one of request, response, or sse'],
    ['{"request":7}', 'request must be a JSON object'],
    ['{"request":[]}', 'request must be a JSON object'],
    ['{"response":"{}"}', 'response must be a JSON object'],
    ['{"sse":[]}', 'sse must be a JSON object'],
    ['{"sse":{"event":"ping"}}', 'sse must have data'],
    ['{"sse":{"data":7}}', 'sse.data must be an object, a string or an array'],
    ['{"sse":{"data":null}}', 'sse.data must be an object, a string or an array'],
    ['{"request":{"a":01}}', 'is not valid JSON'],
    ['7', 'is not an object'],
  ])('%s', async (entry, said) => {
    const { messages, problems } = await read(
      `{"request":${CALL}}`,
      '{"response":null}',
      entry,
      `{"response":${ANSWER}}`,
    );
    expect(messages.map(({ text }) => text)).toEqual([CALL, ANSWER]);
    expect(problems).toEqual([`entry 3: ${said.replace(/^is /, '')}`]);
    expect(await contracts(`{"request":${CALL}}`, '{"response":null}', entry)).toEqual([
      `streamable-http transcript entry 3 ${said}`,
    ]);
  });

  it('is said with the name of its format', async () => {
    const problems: Problem[] = [];
    const opened = await httpSse.read(sourceOf(file(['{}'], 'http-sse')), { onProblem: (said) => problems.push(said) });
    for await (const _ of entriesOf(opened));
    expect(problems[0]?.contract).toBe(
      'http-sse transcript entry 1 must contain exactly one of request, response, or sse',
    );
  });

  it('is said of an id and of a part of a batch, and the message is taken all the same', async () => {
    const entries = [`{"sse":{"id":{},"data":${ANSWER}}}`, `{"request":[${CALL},7]}`];
    expect((await read(...entries)).messages).toHaveLength(2);
    expect(await contracts(...entries)).toEqual([
      'streamable-http transcript entry 1 sse.id must be a string or a number',
      'streamable-http transcript entry 2 has a batch whose element 1 is not a JSON object',
    ]);
  });

  it('is no null beside the slot that counts, and no answer without a body', async () => {
    const entries = [
      `{"request":${CALL},"response":null,"sse":null}`,
      `{"request":null,"sse":{"data":${ANSWER}}}`,
      '{"response":null,"transport_context":{"status":401}}',
    ];
    const { entries: taken, problems } = await read(...entries);
    expect(outline(taken)).toEqual(['> tools/call', '< answers 0', 'transcript.entry']);
    expect(problems).toEqual([]);
    await expectSame(file(entries));
  });

  it.each([
    ['{"transport":"streamable-http","entries":[{"request":{}}', 'transcript: cut off before its end'],
    [file(['{"request":{}},']), 'entries: a comma with nothing after it at byte 57'],
    [`${file(['{"request":{}}'])} x`, 'transcript: something after the end of the document at byte 59'],
  ])('does not hide what came before it: %s', async (text, said) => {
    for (const cuts of [1, 1000]) {
      const { messages, problems } = await readAll(streamableHttp, sourceOf(text, 'memory', cuts));
      expect([messages.length, problems]).toEqual([1, [`${said}; read as far as it goes`]]);
    }
  });
});

describe('what is no transcript of the format', () => {
  it.each([
    [streamableHttp, '"http-sse"', 'streamable-http transcript transport must be "streamable-http", found "http-sse"'],
    [httpSse, '"streamable-http"', 'http-sse transcript transport must be "http-sse", found "streamable-http"'],
    [streamableHttp, '7', 'streamable-http transcript transport must be "streamable-http", found "missing"'],
    [streamableHttp, '"stdio"', 'streamable-http transcript transport must be "streamable-http", found "stdio"'],
  ])('is refused by its transport: $id, %s', async ({ ...format }, transport, said) => {
    const error = await refusal(`{"transport":${transport},"entries":[]}`, format);
    expect(error).toBeInstanceOf(ReelError);
    expect(error).toMatchObject({ code: 'session-unreadable', message: said });
  });

  it('is refused where it has no transport', async () => {
    expect(await refusal('{"entries":[]}')).toMatchObject({
      message: 'streamable-http transcript transport must be "streamable-http", found "missing"',
    });
  });

  it.each([
    ['{"a":1,"b":2}', 'an object with the keys "a", "b"; a streamable-http transcript has "entries".'],
    ['{"entries":{}}', 'an object with the key "entries"; a streamable-http transcript has an array of "entries".'],
    ['[]', 'no object; a streamable-http transcript has "entries".'],
    ['{"transport":', 'an object with no keys (cut off before its end); a streamable-http transcript has "entries".'],
    ['hello', 'no object (expected an object or an array at byte 0); a streamable-http transcript has "entries".'],
  ])('is refused with what was seen instead: %s', async (text, said) => {
    const error = await refusal(text);
    expect(error).toBeInstanceOf(ReelError);
    expect(error).toMatchObject({ message: `Not a streamable-http transcript: memory: ${said}` });
  });

  it('is not taken for one', () => {
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

  it('is certain only for its own transport, and likely while that is not seen', () => {
    const certain = '{"transport": "http-sse", "entries": [';
    expect([streamableHttp.detect(certain), httpSse.detect(certain)]).toEqual(['no', 'certain']);
    const context = '{"transport":"streamable-http","transport_context":{"headers":{"a":"b';
    expect([streamableHttp.detect(context), httpSse.detect(context)]).toEqual(['certain', 'no']);
    const open = '{"entries":[{"timestamp_ms":1,"request":{';
    expect([streamableHttp.detect(open), httpSse.detect(open)]).toEqual(['likely', 'likely']);
  });
});

describe('a transcript that is written', () => {
  it.each([
    [401, [['www-authenticate', 'Bearer scope="a"']], ['Bearer scope="a"']],
    [403, [['www-authenticate', 'Bearer scope="a"']], undefined],
    [401, [], undefined],
  ])('tells of an answer %i with the headers %j if it is a challenge', async (status, responseHeaders, challenges) => {
    const raw = JSON.stringify({ exchange: 0, status, responseHeaders });
    const exchange = event({ event: 'http.exchange', raw });
    const written = await writeAll(streamableHttp, session([message(), exchange]));
    const { entries } = JSON.parse(written) as { entries: unknown[] };
    const context = { status: 401, headers: { 'WWW-Authenticate': challenges } };
    expect(entries.slice(1)).toEqual(
      challenges ? [{ timestamp_ms: NOON_MS, transport_context: context, response: null }] : [],
    );
    expect((await readAll(streamableHttp, written)).problems).toEqual([]);
  });

  it('names requests, answers and events, with the texts as they are', async () => {
    const original = session(
      [
        event(),
        message({ text: '{ "id":1,  "method":"ping" }' }),
        response({ atMs: NOON_MS + 1 }),
        response({ sse: '{"event":"message","id":"evt-1"}', text: PROGRESS }),
        message({ text: ANSWER }),
      ],
      {
        header: header({ keepsakes: { transcript: '{"transport_context":{"headers":{}},"entries":1,"transport":2}' } }),
      },
    );
    expect(await writeAll(streamableHttp, original)).toBe(`{
  "transport": "streamable-http",
  "transport_context": {"headers":{}},
  "entries": [
    {
      "timestamp_ms": ${NOON_MS},
      "request": { "id":1,  "method":"ping" }
    },
    {
      "timestamp_ms": ${NOON_MS + 1},
      "response": {"jsonrpc":"2.0","id":1,"result":{}}
    },
    {
      "timestamp_ms": ${NOON_MS},
      "sse": {
        "event": "message",
        "id": "evt-1",
        "data": ${PROGRESS}
      }
    },
    {
      "timestamp_ms": ${NOON_MS},
      "request": ${ANSWER}
    }
  ]
}
`);
    const written = await writeAll(httpSse, original);
    expect(sliceAt(written, ['entries', 1, 'sse', 'event'])).toBe('"message"');
    expect(sliceAt(written, ['entries', 1, 'sse', 'data'])).toBe(response().text);
  });

  it.each([
    ...corpusNames('streamable-http').map((name) => [streamableHttp, `streamable-http/${name}`] as const),
    ...corpusNames('http-sse').map((name) => [httpSse, `http-sse/${name}`] as const),
  ])('is the one that was read: $id, %s', async ({ ...format }, path) => {
    // What is no entry at all is said and left out.
    if (!path.includes('env-')) await expectSame(corpusText(path), format);
  });

  it('is the one that was read, with what nobody knows', async () => {
    const entries = [
      `{"request":${CALL},"timestamp_ms":null,"headers":{"A":"b"},"__proto__":[1.0],"x":{"sse":1}}`,
      `{"timestamp_ms":1e3,"request":[${CALL}]}`,
      `{"request":[${CALL},${PROGRESS}],"note":"batch"}`,
      `{"timestamp_ms":1001,"response":[${ANSWER},${ANSWER}]}`,
      `{"timestamp_ms":1001,"response":${ANSWER},"transport_context":{"status":401}}`,
      `{"sse":{"id":12345678901234567890,"data":${ANSWER},"retry":null},"":0}`,
    ];
    for (const format of [streamableHttp, httpSse]) {
      await expectSame(file(entries, format.id, '"captured_by":{"v":1.0},'), format);
    }
  });

  it('becomes one of the other transport', async () => {
    const text = file([`{"request":${CALL}}`, `{"timestamp_ms":4,"response":${ANSWER},"headers":{}}`]);
    const written = await convert(streamableHttp, text, httpSse);
    expect(JSON.parse(written)).toEqual({
      transport: 'http-sse',
      entries: [
        { request: JSON.parse(CALL) },
        { timestamp_ms: 4, headers: {}, sse: { event: 'message', data: JSON.parse(ANSWER) } },
      ],
    });
  });

  it('has the message that was changed, and not the string that was kept for it', async () => {
    const data = JSON.stringify(` ${ANSWER}`);
    const { messages } = await read(`{"sse":{"data":${data}}}`);
    const [found = message()] = messages;
    expect(await writeAll(streamableHttp, session([found]))).toContain(data);
    const written = await writeAll(streamableHttp, session([{ ...found, text: PROGRESS }]));
    expect(sliceAt(written, ['entries', 0, 'sse', 'data'])).toBe(JSON.stringify(PROGRESS));
  });

  it('makes single entries of a batch that is no longer whole', async () => {
    const { messages } = await read(`{"timestamp_ms":1,"request":[${CALL},${PROGRESS},${CALL}]}`);
    const [first = message(), second = message(), third = message()] = messages;
    const slots = async (...some: typeof messages): Promise<unknown[]> => {
      const { entries } = JSON.parse(await writeAll(streamableHttp, session(some))) as {
        entries: { request: unknown }[];
      };
      return entries.map(({ request }) => (Array.isArray(request) ? request.length : 'one'));
    };
    expect(await slots(first, second, third)).toEqual([3]);
    expect(await slots(first, third)).toEqual([1, 1]);
    expect(await slots(first, response(), second)).toEqual([1, 'one', 1]);
  });

  it('cannot be made of a hostile keepsake with more strings in strings than there is memory', async () => {
    const keepsakes = { transcript: '{"sse":{"encoded":999999999,"batch":5},"request":{"a":1},"timestamp_ms":[]}' };
    const written = await writeAll(streamableHttp, session([response({ sse: '[]', keepsakes })]));
    expect(written.length).toBeLessThan(10_000);
    expect((await readAll(streamableHttp, written)).messages).toHaveLength(1);
  });

  it('is refused for several conversations', async () => {
    const error = await writeAll(httpSse, session([message(), message({ conversation: 2 })])).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ReelError);
    expect(error).toMatchObject({
      code: 'usage',
      message: 'The session has several conversations, 0 and 2 among them',
      hint: 'Choose one with --conversation N.',
    });
    const one = session([message({ conversation: 2 }), message({ conversation: 2 })]);
    expect(JSON.parse(await writeAll(httpSse, one)).entries).toHaveLength(2);
  });
});

describe('hostile transcripts', () => {
  const deep = `${'[{"a":'.repeat(50_000)}1${'}]'.repeat(50_000)}`;

  it.each([
    `{"request":{"params":${deep}},"transport_context":${deep}}`,
    `{"sse":{"data":${deep}}}`,
    `{"sse":{"data":${JSON.stringify(deep)},"event":${deep}}}`,
    `{"sse":{"id":${deep},"data":${JSON.stringify(`{"params":${deep}}`)}}}`,
    `{"timestamp_ms":${deep},"response":${deep}}`,
  ])('may be 100,000 levels deep: %.30s', async (entry) => {
    const { session: opened, entries } = await read(entry, `{"request":${CALL}}`);
    expect(entries.length).toBeGreaterThan(0);
    const written = await writeAll(streamableHttp, opened);
    expect((await readAll(streamableHttp, written)).entries.length).toBe(entries.length);
  });

  it('are read in any chunking or refused with our own error', async () => {
    const starts = [
      '{"transport":"streamable-http","entries":[',
      '{"transport":"streamable-http","entries":[{"sse":{"data":',
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...starts),
        hostileBytes,
        fc.integer({ min: 1, max: 9 }),
        async (start, bytes, cuts) => {
          const all = new Uint8Array(Buffer.concat([Buffer.from(start), bytes]));
          const whole = await readAll(streamableHttp, all);
          const cut = await readAll(streamableHttp, sourceOf(all, 'memory', cuts));
          expect([cut.entries, cut.problems]).toEqual([whole.entries, whole.problems]);
          await writeAll(httpSse, whole.session);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('may hold bytes that are no text', async () => {
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
