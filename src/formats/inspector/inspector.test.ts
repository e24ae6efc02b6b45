import { describe, expect, it } from 'vitest';
import { fullSession, message, NOON_MS, session } from '../../../test/contract/factories.ts';
import { corpusText, outline, type Reading, readAll, writeAll } from '../../../test/contract/files.ts';
import { describeFormat } from '../../../test/contract/format-contract.ts';
import { sourceOf } from '../../../test/contract/memory-source.ts';
import { ReelError } from '../../model/errors.ts';
import type { ReadProblem } from '../format.ts';
import { trace } from '../trace/trace.ts';
import { inspector } from './inspector.ts';

describeFormat(inspector, { corpus: 'inspector', knownAfterBytes: 260, mayAlsoBe: ['jsonrpc'] });

const read = (file: string | Uint8Array): Promise<Reading> => readAll(inspector, file);
const corpus = (name: string): Promise<Reading> => read(corpusText(`inspector/${name}`));
const times = ({ messages }: Reading): number[] => messages.map(({ atMs }) => atMs);

async function problemsOf(file: string): Promise<ReadProblem[]> {
  const problems: ReadProblem[] = [];
  const opened = await inspector.read(sourceOf(file), { onProblem: (problem) => problems.push(problem) });
  for await (const _ of opened.batches());
  return problems;
}

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const PONG = '{"jsonrpc":"2.0","id":1,"result":{}}';

describe('an array of messages', () => {
  it('uses the times of the messages', async () => {
    const reading = await corpus('equiv-inspector.json');
    expect(outline(reading.entries)).toEqual([
      ...['> tools/call', '< answers 0', '> tools/call', '< answers 2', '< response'],
    ]);
    expect(times(reading)).toEqual([1000, 1001, 1002, 1003, 1004]);
    expect(reading.session).toMatchObject({
      format: 'inspector',
      infersDirections: true,
      header: { label: 'inspector', transport: 'stdio', startedAtMs: 1000, url: undefined },
    });
  });

  it('reads an array that is the "events" member of an object', async () => {
    const [array, events] = [await corpus('inspector-array.json'), await corpus('inspector-events-object.json')];
    expect(events.messages.map(({ text }) => JSON.parse(text))).toEqual(
      array.messages.map(({ text }) => JSON.parse(text)),
    );
    expect(events.problems).toEqual([]);
    expect((await read(`{"name":"x","events":[${PING}],"more":{}}`)).messages).toHaveLength(1);
  });

  it('numbers elements from 1', async () => {
    const opened = await inspector.read(sourceOf(`[7,${PING},[${PONG}]]`), { onProblem: () => undefined });
    const lines: unknown[] = [];
    for await (const batch of opened.batches()) {
      for (const entry of batch) lines.push(entry.kind === 'message' && entry.sourceLine);
    }
    expect(lines).toEqual([2, 3]);
  });

  it('reports invalid elements with the message of the import contract', async () => {
    expect(await problemsOf(`{"events":[${PING},7,{"a":01}],"x":`)).toEqual([
      {
        place: 'element 2',
        what: 'not a JSON object',
        contract: 'MCP event at element 2 must be a JSON object',
      },
      { place: 'element 3', what: 'invalid JSON', contract: 'invalid JSON in element 3' },
      {
        place: 'document',
        what: 'cut off before its end; the rest is not read',
        contract: 'invalid JSON in the document: cut off before its end',
      },
    ]);
    expect(await problemsOf(`{"events":[${PING},`)).toMatchObject([{ place: 'array' }]);
    expect(await problemsOf(`[${PING},,]`)).toMatchObject([
      { place: 'array', contract: 'invalid JSON in the array: expected a value at byte 42' },
    ]);
  });
});

it.each(['[]', '{"events":[]}'])('accepts an empty inspector transcript: %s', async (text) => {
  expect((await readAll(inspector, text)).entries).toEqual([]);
});

describe('input that is not an inspector transcript', () => {
  const requested = 'an inspector transcript is an array or has "events"';

  it.each([
    ['{"a":1,"b":[]}', `an object with the keys "a", "b"; ${requested}`],
    ['{"log":{}}', `an object with the key "log"; ${requested}`],
    ['{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6}', `an object with the keys "a", "b", "c", "d", "e", …; ${requested}`],
    ['{}', `an object with no keys; ${requested}`],
    ['{"events":{"a":1}}', `an object whose "events" is not an array; ${requested}`],
    [`[{"jsonrpc":"2.0"`, `an array without a complete element; ${requested}`],
    ['', `no JSON object or array; ${requested}`],
    ['hello', `no JSON object or array; ${requested}`],
  ])('rejects input that is not an inspector transcript: %s', async (text, sent) => {
    const error = await read(text).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ReelError);
    expect(error).toMatchObject({
      code: sent.startsWith('an empty') ? 'session-empty' : 'session-unreadable',
      message: `memory is not an inspector transcript: ${sent}`,
    });
  });

  it.each(['[1,2]', '[[]]', '[{"direction":"request","message":7}]'])(
    'rejects an array without a message: %s',
    async (text) => {
      await expect(read(text)).rejects.toThrow('No JSON-RPC message in memory');
    },
  );
});

describe('an export', () => {
  it.each([
    ['[{"id":"a","timestamp":"x","direction":"request","message":{"jsonrpc":', 'certain'],
    ['{"events":[{"jsonrpc":"2.0"', 'certain'],
    ['\uFEFF {"name":"x", "events" : [ {"timestamp_ms":1,"jsonrpc":"2.0","id":', 'certain'],
    ['[{"id":"a","timestamp":"x","method":"POST","url":"u","requestHeaders":{"a":', 'certain'],
    ['[{"id":"a","method":"POST","url":"u","category":"auth"}]', 'certain'],
    ['[{"jsonrpc":"2.0","id":1', 'likely'],
    ['[{"jsonrpc":"2.0","id":1,"method":"a","timestamp_ms":5},', 'certain'],
    ['{"events":[{"method":"x"', 'likely'],
    ['[{"id":"a","direction":"up","message":{}}]', 'no'],
    ['{"id":"s","messages":[],"events":[{"jsonrpc":"2.0"}]}', 'no'],
    ['{"events":[{"type":"click"}]}', 'no'],
    ['{"jsonrpc":"2.0","id":1}', 'no'],
    ['[1]', 'no'],
    ['', 'no'],
  ])('recognizes an export by its first bytes: %s', (head, confidence) => {
    expect(inspector.detect(head)).toBe(confidence);
  });
});

describe('writing messages', () => {
  it('writes an array of unchanged messages, each with its time as the last member', async () => {
    const written = await writeAll(
      inspector,
      session([
        message({ text: '{ "jsonrpc":"2.0", "id":1.0, "method":"a" }' }),
        message({ text: '{ "method":"b" }', atMs: NOON_MS + 1 }),
        message({ text: '{ }' }),
        message({ text: '{"timestamp_ms":5,"id":1,"result":{}}' }),
        message({ text: '{"timestamp":6,"id":1,"result":{}}' }),
        message({ text: '{"timestamp":8640000000000001,"id":1,"result":{}}' }),
        message({ text: '{"id":1,"result":{"timestamp":"x"},"timestamp":"now"}', atMs: -1 }),
      ]),
    );
    expect(written).toBe(
      `[
  { "jsonrpc":"2.0", "id":1.0, "method":"a","timestamp_ms":${NOON_MS} },
  { "method":"b","timestamp_ms":${NOON_MS + 1} },
  {"id":1,"result":{},"timestamp_ms":${NOON_MS}},
  {"timestamp":6,"id":1,"result":{}},
  {"timestamp":8640000000000001,"id":1,"result":{},"timestamp_ms":${NOON_MS}},
  {"id":1,"result":{"timestamp":"x"},"timestamp":"now","timestamp_ms":0}
]
`,
    );
  });

  it('writes an empty array for a session without messages', async () => {
    expect(await writeAll(inspector, session([]))).toBe('[]\n');
  });

  it('reads messages without the time that was added to them', async () => {
    const texts = [
      '{ "jsonrpc":"2.0", "id":1.0, "method":"a" }',
      '{"jsonrpc":"2.0","id":1,"result":{"timestamp_ms":4}}',
    ];
    const written = await writeAll(inspector, session(texts.map((text) => message({ text }))));
    expect((await read(written)).messages.map(({ text, atMs }) => [text, atMs])).toEqual(
      texts.map((text) => [text, NOON_MS]),
    );
    const odd = '[{"timestamp_ms":"noon","jsonrpc":"2.0","method":"a"}]';
    expect((await read(odd)).messages[0]?.text).toBe(odd.slice(1, -1));
  });

  it('writes the time at which a message was seen in place of a time in it that would be removed when it is read', async () => {
    const stated = message({ text: '{"timestamp_ms":5,"jsonrpc":"2.0","method":"a"}' });
    const once = await writeAll(inspector, session([stated]));
    const { session: copy, messages } = await read(once);
    expect(messages.map(({ text, atMs }) => [text, atMs])).toEqual([['{"jsonrpc":"2.0","method":"a"}', NOON_MS]]);
    expect(await writeAll(inspector, copy)).toBe(once);
  });

  it('writes a message with the members of an exchange so that it is read as a message', async () => {
    const text = '{"method":"a","url":"http://a/","category":"b"}';
    const { messages } = await read(await writeAll(inspector, session([message({ text })])));
    expect(messages.map((copy) => [copy.text, copy.atMs])).toEqual([[text, NOON_MS]]);
  });

  it('keeps the last of two times of a message', async () => {
    const twice = '[{"timestamp_ms":0,"jsonrpc":"2.0","method":"a","timestamp_ms":1}]';
    const { session: copy, messages } = await read(twice);
    expect(messages.map(({ text, atMs }) => [text, atMs])).toEqual([['{"jsonrpc":"2.0","method":"a"}', 1]]);
    expect(await writeAll(inspector, copy)).toBe('[\n  {"jsonrpc":"2.0","method":"a","timestamp_ms":1}\n]\n');
  });

  it('keeps the times of the messages', async () => {
    const copy = await read(await writeAll(inspector, fullSession()));
    const original = await readAll(trace, await writeAll(trace, fullSession()));
    expect(times(copy)).toEqual(times(original));
  });
});
