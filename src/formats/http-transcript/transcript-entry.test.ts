import { describe, expect, it } from 'vitest';
import { outline, type Reading, readAll } from '../../../test/contract/files.ts';
import { ANSWER, CALL, expectSame, file, PROGRESS, read } from '../../../test/contract/http-transcripts.ts';
import { sourceOf } from '../../../test/contract/memory-source.ts';
import { entriesOf } from '../../model/session.ts';
import type { ReadProblem } from '../format.ts';
import { httpSse, streamableHttp } from './http-transcript.ts';

/** The `contract` message of each problem in a transcript with these entries. */
async function contracts(...entries: string[]): Promise<(string | undefined)[]> {
  const problems: ReadProblem[] = [];
  const opened = await streamableHttp.read(sourceOf(file(entries)), { onProblem: (problem) => problems.push(problem) });
  for await (const _ of entriesOf(opened));
  return problems.map(({ contract }) => contract);
}

describe('the time of an entry', () => {
  const times = async (...entries: string[]): Promise<number[]> =>
    (await read(...entries)).messages.map(({ atMs }) => atMs);

  it('prefers the time of the entry to the time of its message', async () => {
    const stamped = '{"timestamp_ms":7,"timestamp":8,"jsonrpc":"2.0","method":"x"}';
    expect(await times(`{"timestamp_ms":5,"request":${stamped}}`, `{"request":${stamped}}`)).toEqual([5, 7]);
    expect(await times(`{"timestamp_ms":null,"request":${stamped}}`)).toEqual([7]);
    expect(await times('{"sse":{"data":{"timestamp":8,"method":"x"}}}')).toEqual([8]);
  });

  it('uses the previous time for an entry without one, and the next time for the first entries', async () => {
    const bare = `{"request":${CALL}}`;
    expect(
      await times(bare, `{"timestamp_ms":5,"request":${CALL}}`, bare, `{"timestamp_ms":3,"request":${CALL}}`),
    ).toEqual([5, 5, 5, 3]);
  });

  it('numbers the messages if no message has a time, even if other events have one', async () => {
    const endpoint = '{"timestamp_ms":999,"sse":{"event":"endpoint","data":"/x"}}';
    const { entries, session: opened } = await read(`{"request":${CALL}}`, endpoint, `{"response":${ANSWER}}`);
    expect(entries.map(({ atMs }) => atMs)).toEqual([0, 999, 1]);
    expect(opened).toMatchObject({ header: { startedAtMs: 0 }, numbersTimes: true });
  });

  it.each(['-1', '1.5', '"7"', 'true', '[]', '1e400', '8640000000000001', `[${'['.repeat(1e5)}${']'.repeat(1e5)}]`])(
    'rejects a time that is not a whole number: %.20s',
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
  ])('accepts a message as %s', async (_, data) => {
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
  ])('accepts a batch as %s', async (_, data) => {
    const { messages, problems } = await dataOf(data);
    expect(messages.map(({ text, batch }) => [text, batch])).toEqual([
      [ANSWER, '{"frame":0,"index":0,"of":2}'],
      [PROGRESS, '{"frame":0,"index":1,"of":2}'],
    ]);
    expect(problems).toEqual([]);
    const entry = `{"sse":{"event":"message","id":7,"data":${data}},"transport_context":{"a":[1.0]}}`;
    await expectSame(file([entry, entry, `{"sse":{"data":${ANSWER}}}`, entry]));
  });

  it('keeps a lone surrogate as an escape, so that every format can store it', async () => {
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
  ])('keeps data that is %s as an event', async (_, data) => {
    const { entries, problems } = await dataOf(data);
    const raw = `{"sse":{"event":"message","id":7,"data":${data}}}`;
    expect(entries).toEqual([{ kind: 'event', event: 'transcript.entry', atMs: 0, raw }]);
    expect(problems).toEqual([]);
    await expectSame(file([raw]));
  });

  it.each(['endpoint', 'ping', 'Message', ''])('finds no message in the data of the event %j', async (name) => {
    const entry = `{"timestamp_ms":3,"sse":{"event":"${name}","data":${ANSWER}}}`;
    const { entries, messages } = await read(entry);
    expect([entries, messages]).toEqual([[{ kind: 'event', event: 'transcript.entry', atMs: 3, raw: entry }], []]);
    await expectSame(file([entry]));
  });

  it.each(['{"data":DATA}', '{"event":null,"data":DATA}', '{"id":"e","retry":10,"data":DATA}'])(
    'reads the data of an event without a name as a message: %s',
    async (sse) => {
      const entry = `{"sse":${sse.replace('DATA', ANSWER)}}`;
      expect((await read(entry)).messages).toHaveLength(1);
      await expectSame(file([entry]));
    },
  );
});

describe('invalid entries', () => {
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
  ])('skips and reports the entry %s', async (entry, sent) => {
    const { messages, problems } = await read(
      `{"request":${CALL}}`,
      '{"response":null}',
      entry,
      `{"response":${ANSWER}}`,
    );
    expect(messages.map(({ text }) => text)).toEqual([CALL, ANSWER]);
    expect(problems).toEqual([`entry 3: ${sent.replace(/^is /, '')}`]);
    expect(await contracts(`{"request":${CALL}}`, '{"response":null}', entry)).toEqual([
      `streamable-http transcript entry 3 ${sent}`,
    ]);
  });

  it('names the format in a problem', async () => {
    const problems: ReadProblem[] = [];
    const opened = await httpSse.read(sourceOf(file(['{}'], 'http-sse')), { onProblem: (sent) => problems.push(sent) });
    for await (const _ of entriesOf(opened));
    expect(problems[0]?.contract).toBe(
      'http-sse transcript entry 1 must contain exactly one of request, response, or sse',
    );
  });

  it('reports an invalid event id and an invalid batch element, and still reads the messages', async () => {
    const entries = [`{"sse":{"id":{},"data":${ANSWER}}}`, `{"request":[${CALL},7]}`];
    expect((await read(...entries)).messages).toHaveLength(2);
    expect(await contracts(...entries)).toEqual([
      'streamable-http transcript entry 1 sse.id must be a string or a number',
      'streamable-http transcript entry 2 has a batch whose element 2 is not a JSON object',
    ]);
  });

  it('accepts null in the unused slots, and a response without a body', async () => {
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
    [file(['{"request":{}},']), 'entries: a trailing comma at byte 57'],
    [`${file(['{"request":{}}'])} x`, 'transcript: text after the end of the document at byte 59'],
  ])('keeps the entries before the damage: %s', async (text, sent) => {
    for (const cuts of [1, 1000]) {
      const { messages, problems } = await readAll(streamableHttp, sourceOf(text, 'memory', cuts));
      expect([messages.length, problems]).toEqual([1, [`${sent}; the rest is not read`]]);
    }
  });
});
