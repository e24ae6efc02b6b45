import { describe, expect, it } from 'vitest';
import { event, header, message, NOON_MS, response, session } from '../../../test/contract/factories.ts';
import { convert, corpusNames, corpusText, readAll, writeAll } from '../../../test/contract/files.ts';
import { ANSWER, CALL, expectSame, file, PROGRESS, read } from '../../../test/contract/http-transcripts.ts';
import { sliceAt } from '../../json/splice.ts';
import { ReelError } from '../../model/errors.ts';
import { httpSse, streamableHttp } from './http-transcript.ts';

describe('writing a transcript', () => {
  it.each([
    [401, [['www-authenticate', 'Bearer scope="a"']], ['Bearer scope="a"']],
    [403, [['www-authenticate', 'Bearer scope="a"']], undefined],
    [401, [], undefined],
  ])(
    'writes a response with status %i and headers %j only if it is a challenge',
    async (status, responseHeaders, challenges) => {
      const raw = JSON.stringify({ exchange: 0, status, responseHeaders });
      const exchange = event({ event: 'http.exchange', raw });
      const written = await writeAll(streamableHttp, session([message(), exchange]));
      const { entries } = JSON.parse(written) as { entries: unknown[] };
      const context = { status: 401, headers: { 'WWW-Authenticate': challenges } };
      expect(entries.slice(1)).toEqual(
        challenges ? [{ timestamp_ms: NOON_MS, transport_context: context, response: null }] : [],
      );
      expect((await readAll(streamableHttp, written)).problems).toEqual([]);
    },
  );

  it('writes requests, responses and events with their exact text', async () => {
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
  ])('rewrites a transcript without changes: $id, %s', async ({ ...format }, path) => {
    // Items that are not entries are reported and skipped.
    if (!path.includes('env-')) await expectSame(corpusText(path), format);
  });

  it('rewrites a transcript without changes, including its unknown fields', async () => {
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

  it('converts a transcript to the other transport', async () => {
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

  it('writes the edited message and not the string that was kept for the original', async () => {
    const data = JSON.stringify(` ${ANSWER}`);
    const { messages } = await read(`{"sse":{"data":${data}}}`);
    const [found = message()] = messages;
    expect(await writeAll(streamableHttp, session([found]))).toContain(data);
    const written = await writeAll(streamableHttp, session([{ ...found, text: PROGRESS }]));
    expect(sliceAt(written, ['entries', 0, 'sse', 'data'])).toBe(JSON.stringify(PROGRESS));
  });

  it('writes the messages of an incomplete batch as separate entries', async () => {
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

  it('limits string nesting requested by hostile unknown fields', async () => {
    const keepsakes = { transcript: '{"sse":{"encoded":999999999,"batch":5},"request":{"a":1},"timestamp_ms":[]}' };
    const written = await writeAll(streamableHttp, session([response({ sse: '[]', keepsakes })]));
    expect(written.length).toBeLessThan(10_000);
    expect((await readAll(streamableHttp, written)).messages).toHaveLength(1);
  });

  it('rejects a session with several conversations', async () => {
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
