import { describe, expect, it } from 'vitest';
import { corpusBytes, corpusNames, entriesIn, readAll, writeAll } from '../../../test/contract/files.ts';
import { sourceOf } from '../../../test/contract/memory-source.ts';
import { compact } from '../../json/layout.ts';
import { ReelError } from '../../model/errors.ts';
import type { FormatReader } from '../format.ts';
import { har } from '../har/har.ts';
import { sessionFile } from '../session-file/session-file.ts';
import { trace } from '../trace/trace.ts';
import { claudeCode } from './claude-code.ts';
import { mcpCassette } from './mcp-cassette.ts';
import { mcpRec } from './mcp-rec.ts';
import { mcpRecorder } from './mcp-recorder.ts';
import { mcporter } from './mcporter.ts';
import { mcpsnoop } from './mcpsnoop.ts';

const foreign: readonly FormatReader[] = [mcpsnoop, mcpRecorder, mcporter, mcpCassette, mcpRec, har, claudeCode];
const certainOf = (head: string): string[] =>
  foreign.filter((reader) => reader.detect(head) === 'certain').map(({ id }) => id);
const headOf = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, 4096));
const failure = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

describe.each(foreign.map((reader) => [reader.id, reader] as const))('a capture of %s', (id, reader) => {
  const files = corpusNames(id).map((name) => [name, corpusBytes(`${id}/${name}`)] as const);

  it.each(files)('detects a capture by its first bytes, and with no other reader: %s', (_name, bytes) => {
    expect(certainOf(headOf(bytes))).toEqual([id]);
    expect(certainOf(`\uFEFF${headOf(bytes)}`)).toEqual([id]);
    for (const known of [trace, sessionFile]) expect(known.detect(headOf(bytes))).toBe('no');
  });

  it.each(files)('reads the same entries in any chunking and on every pass: %s', async (_name, bytes) => {
    const whole = await readAll(reader, bytes);
    expect(whole.problems).toEqual([]);
    expect(whole.session.format).toBe(id);
    expect(await entriesIn(whole.session)).toEqual(whole.entries);
    for (const cuts of [1, 7, 100]) {
      const again = await readAll(reader, sourceOf(bytes, 'memory', cuts));
      expect([again.entries, again.session.header]).toEqual([whole.entries, whole.session.header]);
    }
  });

  it.each(files)('keeps every message when written as a trace or session file: %s', async (_name, bytes) => {
    const { session, messages } = await readAll(reader, bytes);
    for (const format of [trace, sessionFile]) {
      const copy = await readAll(format, await writeAll(format, session));
      expect(copy.messages.map(({ text }) => compact(text))).toEqual(messages.map(({ text }) => compact(text)));
      expect(copy.messages.map(({ correlatedId }) => correlatedId)).toEqual(
        messages.map(({ correlatedId }) => correlatedId),
      );
      expect(copy.problems).toEqual([]);
    }
  });

  it.each(['', '{}', '7', '[]', 'hello', '{"a":1}\n{"b":2}\n'])(
    'rejects a file without a message: %j',
    async (text) => {
      const error = await failure(readAll(reader, text));
      expect(error).toBeInstanceOf(ReelError);
      expect(error).toMatchObject({ code: 'session-unreadable' });
    },
  );
});

describe('a file of another format', () => {
  it.each(['trace', 'session-file', 'jsonrpc'])(
    'does not detect a file of another format as a foreign capture: %s',
    (folder) => {
      for (const name of corpusNames(folder)) {
        const head = headOf(corpusBytes(`${folder}/${name}`));
        for (const reader of foreign) expect([name, reader.id, reader.detect(head)]).toEqual([name, reader.id, 'no']);
      }
    },
  );

  it.each([
    '{"type":"user","message":{"role":"user"}}',
    '{"session_id":"x","direction":"up"}',
    '{"version":1,"interactions":[{"request":{"method":"GET","uri":"https://example.com"},"response":{}}]}',
    '{"log":{"entries":"none"}}',
    '{"log":"text"}',
    '{"jsonrpc":"2.0","id":1,"result":{"_meta":{"dir":"send","server":"x"}}}',
    '{"type":"header","version":2}',
    '{"ts":1,"dir":"in","msg":{}}',
    'log',
    '',
  ])('does not detect a file that only resembles a foreign capture: %s', (head) => {
    expect(foreign.map((reader) => reader.detect(head))).toEqual(foreign.map(() => 'no'));
  });
});

describe('an unreadable record', () => {
  it('reports an unreadable record with its line and the message of the import contract', async () => {
    const good = '{"ts":1,"dir":"client->server","msg":{"jsonrpc":"2.0","id":1,"method":"ping"}}';
    const problems: unknown[] = [];
    const source = sourceOf(`${good}\n{"ts":\n\n7\n${good}\n`);
    const session = await mcpRec.read(source, { onProblem: (problem) => void problems.push(problem) });
    const lines = [];
    for await (const batch of session.batches()) {
      for (const entry of batch) lines.push(entry.kind === 'message' && entry.sourceLine);
    }
    expect(lines).toEqual([1, 5]);
    expect(problems).toEqual([
      { place: 'line 2', what: 'invalid JSON', contract: 'invalid JSON on line 2' },
      { place: 'line 4', what: 'not a JSON object', contract: 'MCP event at source line 4 must be a JSON object' },
    ]);
  });

  it('counts the other records in the error if the file has no message', async () => {
    const stderr = '{"session_id":"a","ts":"2026-03-04T10:00:00Z","direction":"stderr","text":"x"}\n';
    expect(await failure(readAll(mcpsnoop, `${stderr}${stderr}{"a":1}\nno\n`))).toMatchObject({
      message:
        'No message of mcpsnoop in memory: of its records, 2 of kind stdio.stderr, 1 of kind mcpsnoop.record, 1 unreadable',
    });
    expect(await failure(readAll(har, '{"log":{"version":"1.2","entries":[{"request":{}},{}]}}'))).toMatchObject({
      message: 'No message of har in memory: of its records, 2 without MCP',
    });
    expect(await failure(readAll(mcpRecorder, '{"version":1,"interactions":{}}'))).toMatchObject({
      message: 'No array "interactions" in memory: an object with the keys "version", "interactions"',
    });
  });
});

describe('a record that is not a message', () => {
  it('keeps a record that is not a message, which is never read back as a line of a trace', async () => {
    const frame = '{"type":"frame","t":1,"dir":"c2s","frame":{"jsonrpc":"2.0","method":"x"}}\n';
    const lures = [
      '{"type":"end","t":2}',
      '{"t":"2026-03-04T10:00:00.000Z","dir":"in","raw":{"method":"no"}}',
      '{"type":"\\u001b[2J"}',
    ];
    const { session, entries } = await readAll(mcpCassette, `${frame}${lures.join('\n')}\n`);
    expect(entries.slice(1)).toMatchObject([
      { event: 'mcp-cassette.end', raw: lures[0] },
      { event: 'mcp-cassette.record', raw: lures[1] },
      { event: 'mcp-cassette.record', raw: lures[2] },
    ]);
    const copy = await readAll(trace, await writeAll(trace, session));
    expect(copy.messages).toHaveLength(1);
    expect(copy.session.footer).toBeUndefined();
  });
});
