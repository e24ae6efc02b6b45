import { describe, expect, it } from 'vitest';
import { fullSession } from '../../test/contract/factories.ts';
import { corpusText, outline, type Reading, readAll, writeAll } from '../../test/contract/files.ts';
import { describeFormat } from '../../test/contract/format-contract.ts';
import { sourceOf } from '../../test/contract/memory-source.ts';
import { ReelError } from '../model/errors.ts';
import { jsonrpc } from './jsonrpc.ts';
import { trace } from './trace/trace.ts';

describeFormat(jsonrpc, { corpus: 'jsonrpc', knownAfterBytes: 30 });

const read = (file: string | Uint8Array): Promise<Reading> => readAll(jsonrpc, file);
const corpus = (name: string): Promise<Reading> => read(corpusText(`jsonrpc/${name}`));

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const PONG = '{"jsonrpc":"2.0","id":1,"result":{}}';

describe('bare JSON-RPC messages', () => {
  it.each(['lines.jsonl', 'crlf.jsonl', 'bom.jsonl', 'blank-lines.jsonl', 'array.json', 'tall-array.json'])(
    'reads messages from %s',
    async (name) => {
      const { session, entries, problems } = await corpus(name);
      expect(outline(entries)).toEqual([
        ...['> initialize', '< answers 0', '> notifications/initialized', '> tools/call', '< answers 3'],
        ...['< sampling/createMessage', '> answers 5'],
      ]);
      expect(session).toMatchObject({
        format: 'jsonrpc',
        header: { label: 'session', command: [], startedAtMs: 0 },
        footer: undefined,
      });
      expect(problems).toEqual([]);
    },
  );

  it('numbers messages as times if none has a time, so that the output is deterministic', async () => {
    expect((await corpus('lines.jsonl')).messages.map(({ atMs }) => atMs)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    const written = await writeAll(trace, (await corpus('lines.jsonl')).session);
    expect(await writeAll(trace, (await corpus('lines.jsonl')).session)).toBe(written);
  });

  it('uses the time in a message and keeps it in the text; else the previous time, else the first', async () => {
    const { session, messages } = await corpus('timestamps.jsonl');
    expect(messages.map(({ atMs }) => atMs - 1_772_618_400_000)).toEqual([1, 1, 2, 2]);
    expect(session.header.startedAtMs).toBe(1_772_618_400_001);
    expect(messages[1]?.text).toBe('{"timestamp_ms":1772618400001,"timestamp":5,"jsonrpc":"2.0","id":1,"result":{}}');
  });

  it.each(['-1', '1.5', '"7"', 'null', '1e400', '8640000000000001', '12345678901234567890'])(
    'ignores a timestamp that is %s',
    async (stamp) => {
      const { session, messages } = await read(`${PING}\n{"timestamp_ms":${stamp},"id":1,"result":{}}\n`);
      expect(messages.map(({ atMs }) => atMs)).toEqual([0, 1]);
      await writeAll(trace, session);
    },
  );

  it('reads messages from batches and reports invalid batch elements', async () => {
    const { entries, messages, problems } = await corpus('batch-line.jsonl');
    expect(outline(entries)).toEqual(['> initialize', '< answers 0', '> ping', '> ping', '< answers 3', '< answers 2']);
    expect(messages.map(({ batch }) => batch)).toEqual([
      ...[undefined, undefined, '{"frame":2,"index":0,"of":4}', '{"frame":2,"index":2,"of":4}'],
      ...['{"frame":4,"index":0,"of":2}', '{"frame":4,"index":1,"of":2}'],
    ]);
    expect(problems).toEqual([
      'line 3: element 2 of the batch is not a JSON object',
      'line 3: element 4 of the batch is not a JSON object',
    ]);
  });

  it('reads lines and not an array if the first line is a batch', async () => {
    const { entries, messages, problems } = await corpus('batch-first.jsonl');
    expect(outline(entries)).toEqual(['> ping', '> ping', '< answers 1', '< answers 0']);
    expect(messages[1]?.batch).toBe('{"frame":0,"index":1,"of":2}');
    expect(problems).toEqual([]);
    expect((await read(`\r\n [${PING}] \r\n\n${PONG}`)).messages).toHaveLength(2);
  });

  it('reads an array if only whitespace follows it', async () => {
    for (const text of [`[${PING},${PONG}]`, `[${PING},${PONG}]\n\n`, `\uFEFF\n[${PING},\n${PONG}]\n`]) {
      const { messages, problems } = await read(text);
      expect([messages.map(({ batch }) => batch), problems]).toEqual([[undefined, undefined], []]);
    }
  });
});

describe('invalid input', () => {
  it('skips and reports an invalid message with its line', async () => {
    const { messages, problems } = await corpus('bad-lines.jsonl');
    expect(messages).toHaveLength(3);
    expect(problems).toEqual([
      ...[
        'line 2: invalid JSON',
        'line 3: not a JSON object',
        'line 4: not a JSON object',
        'line 5: not a JSON object',
      ],
      'line 7: invalid JSON',
    ]);
  });

  it('skips and reports an invalid message with its index in an array', async () => {
    const { messages, problems } = await read(`[${PING},7,[${PONG},"x"],{"a":01},${PONG}]`);
    expect(messages.map(({ text }) => text)).toEqual([PING, PONG, PONG]);
    expect(problems).toEqual([
      'element 2: not a JSON object',
      'element 3: element 2 of the batch is not a JSON object',
      'element 4: invalid JSON',
    ]);
  });

  it.each([
    [`[${PING},`, 'array: cut off before its end; the rest is not read'],
    [`[${PING},,${PONG}]`, 'array: expected a value at byte 42; the rest is not read'],
    [`[${PING}] x`, 'array: text after the end of the document at byte 43; the rest is not read'],
  ])('keeps the messages before the damage: %s', async (text, sent) => {
    for (const cuts of [1, 1000]) {
      const { messages, problems } = await readAll(jsonrpc, sourceOf(text, 'memory', cuts));
      expect([messages.map((message) => message.text), problems]).toEqual([[PING], [sent]]);
    }
  });

  it.each([
    ['', 'session-empty', ''],
    ['[]', 'session-empty', ''],
    ['hello', 'session-unreadable', ': invalid JSON on line 1'],
    ['7\n8\n', 'session-unreadable', ': MCP event at source line 1 must be a JSON object'],
    ['[1,2]', 'session-unreadable', ': MCP event at element 1 must be a JSON object'],
    ['[[]]', 'session-unreadable', ': MCP event at element 1 must be a JSON object'],
  ])('rejects input without a message and describes it: %j', async (text, code, seen) => {
    const error = await read(text).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ReelError);
    expect(error).toMatchObject({ code, message: `No JSON-RPC message in memory${seen}` });
  });
});

describe('writing messages', () => {
  it('writes the bare texts, one per line', async () => {
    const lines = (await writeAll(jsonrpc, fullSession())).split('\n');
    expect(lines).toHaveLength(9);
    expect(lines[7]).toBe('{"jsonrpc":"2.0","id":9,"method":"x"}');
    expect(lines[8]).toBe('');
  });
});
