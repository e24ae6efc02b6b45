import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fullSession } from '../../../test/contract/factories.ts';
import { corpusBytes, corpusText, outline, type Reading, readAll, writeAll } from '../../../test/contract/files.ts';
import { anySession } from '../../../test/contract/random-sessions.ts';
import { mutate } from '../../../test/fuzz/mutate.ts';
import { Random } from '../../../test/fuzz/random.ts';
import { ReelError } from '../../model/errors.ts';
import { trace } from './trace.ts';

const read = (file: string | Uint8Array): Promise<Reading> => readAll(trace, file);
const corpus = (name: string): Promise<Reading> => read(corpusBytes(`trace/${name}.jsonl`));

const META = '{"v":1,"type":"meta","startedAt":"2026-05-12T23:00:00.000Z","label":"x","command":["x"]}\n';
const EXAMPLE = ['> initialize', '< answers 0', '> notifications/initialized', '> tools/call', '< answers 3'];

describe('the example trace', () => {
  it('reads header, messages and footer', async () => {
    const { session, entries, messages, problems } = await corpus('seed-example');
    expect(session).toMatchObject({
      format: 'trace',
      header: {
        startedAtMs: Date.UTC(2026, 4, 12, 23),
        label: 'filesystem',
        transport: 'stdio',
        command: ['npx', '-y', '@modelcontextprotocol/server-filesystem', '/home/me'],
        url: undefined,
        metadata: '{}',
        keepsakes: { trace: '{"mcpTapVersion":"0.1.0-alpha.1"}' },
      },
      footer: { endedAtMs: Date.UTC(2026, 4, 12, 23, 0, 30), exitCode: 0, durationMs: 30_000 },
    });
    expect(outline(entries)).toEqual(EXAMPLE);
    expect(messages.map(({ sequence }) => sequence)).toEqual([0, 1, 2, 3, 4]);
    expect(messages[2]).toMatchObject({
      atMs: Date.UTC(2026, 4, 12, 23, 0, 0, 150),
      direction: 'client_to_server',
      text: '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    });
    expect(problems).toEqual([]);
  });

  it('derives the same message ids on every read, since the trace contains none', async () => {
    const ids = (await corpus('seed-example')).messages.map(({ proxyId }) => proxyId);
    expect((await corpus('seed-example')).messages.map(({ proxyId }) => proxyId)).toEqual(ids);
    expect(new Set(ids).size).toBe(5);
  });

  it.each(['bom', 'crlf', 'blank-lines', 'not-utf8', 'bad-middle-line', 'torn-after-end'])(
    'reads the same session from %s.jsonl',
    async (name) => {
      const { session, entries } = await corpus(name);
      expect(outline(entries).filter((line) => line !== 'turn')).toEqual(EXAMPLE);
      expect(session.footer?.durationMs).toBe(30_000);
      expect(session.header).toEqual((await corpus('seed-example')).session.header);
    },
  );
});

describe('a damaged trace', () => {
  it.each([
    ['torn-tail', ['line 6: cut off in the middle']],
    ['torn-after-end', ['line 8: cut off in the middle']],
    ['bad-middle-line', ['line 3: not a JSON object', 'line 5: not a JSON object', 'line 6: not a JSON object']],
    ['not-utf8', ['line 3: not UTF-8 at byte 2']],
    [
      'odd-times',
      [
        'line 4: t "soon" is not a time; the time before it is used',
        'line 5: t is missing; the time before it is used',
      ],
    ],
    ['version-2', ['line 1: trace version 2 is newer than 1; unknown parts are skipped']],
  ])('reports the problems of %s.jsonl once, with their lines', async (name, problems) => {
    const reading = await corpus(name);
    expect(reading.problems).toEqual(problems);
    for await (const _ of reading.session.batches());
    expect(reading.problems).toEqual(problems);
  });

  it('reads all but the cut-off last line', async () => {
    const { session, entries } = await corpus('torn-tail');
    expect(outline(entries)).toEqual(EXAMPLE.slice(0, 4));
    expect(session.footer).toBeUndefined();
  });

  it('reads a complete last line without a line feed', async () => {
    const { session, problems } = await read(corpusText('trace/seed-example.jsonl').trimEnd());
    expect([session.footer?.exitCode, problems]).toEqual([0, []]);
  });

  it.each([
    ['nothing', ''],
    ['blank lines', '\n \n\r\n'],
    ['text', 'hello\nworld\n'],
    ['arrays', '[1]\n[2]\n'],
    ['binary', new Uint8Array([0xff, 0xfe, 0x0a, 0x80])],
  ])('rejects a file that contains only %s', async (_, file) => {
    const error = await read(file).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ReelError);
    expect(error).toMatchObject({
      code: 'session-unreadable',
      message: 'No trace in memory: no line is JSON',
    });
  });
});

describe('a trace with missing or repeated lines', () => {
  it('accepts a trace without a header, such as a part of a rotated trace', async () => {
    const { session, entries, problems } = await corpus('no-meta');
    expect(session.header).toMatchObject({
      label: 'session',
      command: [],
      startedAtMs: Date.UTC(2026, 4, 12, 23, 0, 0, 140),
    });
    expect(outline(entries)).toEqual(['< response', '> notifications/initialized', '> tools/call', '< answers 2']);
    expect([session.footer?.exitCode, problems]).toEqual([0, []]);
  });

  it('accepts a trace without a footer, such as one of a live or crashed session', async () => {
    const { session, entries, problems } = await corpus('no-end');
    expect(outline(entries)).toEqual(EXAMPLE);
    expect([session.footer, problems]).toEqual([undefined, []]);
  });

  it('uses the first header and the last footer, and keeps the others as records', async () => {
    const { session, entries } = await corpus('several-metas');
    expect(outline(entries)).toEqual([...EXAMPLE.slice(0, 2), 'end', 'meta', ...EXAMPLE.slice(2)]);
    expect(session.header.startedAtMs).toBe(Date.UTC(2026, 4, 12, 23));
    expect(session.footer?.durationMs).toBe(30_000);
  });

  it('finds the footer before an unreadable line', async () => {
    const end = '{"t":"2026-05-12T23:00:30.000Z","type":"end","exitCode":3,"durationMs":1}\n';
    const garbage = new Uint8Array([
      ...new TextEncoder().encode(`${META}${end}`),
      0x7b,
      0x22,
      0xff,
      0x22,
      0x3a,
      0x31,
      0x7d,
    ]);
    const { session, entries, problems } = await read(garbage);
    expect([session.footer?.exitCode, entries, problems]).toEqual([3, [], ['line 3: not UTF-8 at byte 2']]);
  });

  it('finds the footer before a line of several megabytes', async () => {
    const noise = 'x'.repeat(3 << 20);
    const { session } = await read(`${META}{"t":"2026-05-12T23:00:30.000Z","type":"end","exitCode":7}\n${noise}`);
    expect(session.footer?.exitCode).toBe(7);
  });
});

describe('the extended v1 format', () => {
  it('reads entries in file order and pairs only messages', async () => {
    const { session, entries, messages, problems } = await corpus('wider-v1');
    expect(outline(entries)).toEqual([
      ...['turn', 'turn', '> initialize', '< answers 0', 'other', 'stdio.stderr', 'stdio.noise'],
      ...['other', 'other', 'annotation', '> tools/call', '< answers 2'],
    ]);
    expect(messages[3]?.correlatedId).toBe('p-7');
    expect(session.header.keepsakes?.trace).toBe(
      '{"kind":"cc-session","source":"tap@0.4","producer":{"name":"tap","version":"0.4"},"cwd":"/home/me","env":["HOME"]}',
    );
    expect(session.footer).toMatchObject({
      exitCode: undefined,
      reason: 'producer_shutdown',
      keepsakes: { trace: '{"turns":2}' },
    });
    expect(problems).toEqual([]);
  });

  it('keeps ai, attest, corr_id and _seq unchanged', async () => {
    const { messages } = await corpus('wider-v1');
    expect(messages.map(({ keepsakes }) => keepsakes?.trace)).toEqual([
      '{"_seq":3,"ai":{"intent":"start","score":0.10},"attest":{"sig":"abc"}}',
      '{"corr_id":0,"_seq":4}',
      undefined,
      undefined,
    ]);
  });

  it('reads the known parts of a later version', async () => {
    expect(outline((await corpus('version-2')).entries)).toEqual(['> initialize', '< answers 0', 'frame']);
  });
});

/** Adds a space before every line but the first, because ids may be derived from the first. */
function withSpaces(bytes: Uint8Array): Uint8Array {
  return Uint8Array.from([...bytes].flatMap((byte) => (byte === 0x0a ? [byte, 0x20] : [byte])));
}

describe('a trace line', () => {
  it('reads the objects of a batch as messages and its other elements as stray output', async () => {
    const { entries, messages } = await corpus('batch-and-scalar');
    expect(outline(entries)).toEqual([
      ...['> ping', 'stdio.noise', '> ping', '< answers 1', '< answers 0'],
      ...['other', 'other', 'other', 'other', 'other', '> notifications/initialized'],
    ]);
    expect(messages.map(({ batch }) => batch)).toEqual([
      '{"frame":0,"index":0,"of":3}',
      '{"frame":0,"index":2,"of":3}',
      '{"frame":2,"index":0,"of":2}',
      '{"frame":2,"index":1,"of":2}',
      undefined,
    ]);
    expect(messages[0]?.proxyId).toBe('b-1');
    expect(entries[1]).toMatchObject({ raw: '{"dir":"in","text":"7"}' });
  });

  it('reads all message fields that mcpreel writes', async () => {
    const { messages } = await corpus('mcpreel');
    expect(messages[2]).toMatchObject({
      modified: true,
      original: '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a"}}',
      text: '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"b"}}',
    });
    expect(messages[3]).toMatchObject({
      http: '{"exchange":3}',
      sse: '{"event":"message","id":"evt-10"}',
      dropped: true,
      sentText: '{broken',
    });
  });

  it('sets the conversation of an event, and keeps a value that is not a number as an unknown field', async () => {
    const line = (conv: string): string =>
      `{"type":"event","dir":"event","kind":"http.exchange","conv":${conv},"raw":{}}\n`;
    const { entries } = await read(`${META}${line('2')}${line('"2"')}${line('0')}`);
    expect(entries).toMatchObject([
      { event: 'http.exchange', conversation: 2 },
      { event: 'http.exchange', keepsakes: { trace: '{"conv":"2"}' } },
      { event: 'http.exchange', conversation: 0 },
    ]);
    expect(entries[0]).not.toHaveProperty('keepsakes');
    expect(entries[1]).not.toHaveProperty('conversation');
  });

  it('pairs messages by the corr field, or by JSON-RPC id if there is no corr field', async () => {
    const line = (dir: string, raw: string, more = ''): string =>
      `{"t":"2026-05-12T23:00:00.000Z","dir":"${dir}"${more},"raw":${raw}}\n`;
    const { messages } = await read(
      META +
        line('in', '{"id":1,"method":"a"}', ',"id":"a"') +
        line('in', '{"id":2,"method":"b"}', ',"id":"b"') +
        line('out', '{"id":2,"result":{}}', ',"corr":"a"') +
        line('out', '{"id":1,"result":{}}', ',"corr":null'),
    );
    expect(messages.map(({ correlatedId }) => correlatedId)).toEqual([undefined, undefined, 'a', 'a']);
  });

  it('reads the same entries through the fast path and the general path', async () => {
    const written = fc.oneof(anySession, fc.constant(fullSession())).map((session) => writeAll(trace, session));
    await fc.assert(
      fc.asyncProperty(
        written,
        fc.oneof(
          fc.nat().map((seed) => (bytes: Uint8Array) => mutate(bytes, new Random(seed), [bytes])),
          fc.constant((bytes: Uint8Array) => bytes),
        ),
        async (text, damage) => {
          const bytes = damage(new TextEncoder().encode(await text));
          const short = await read(bytes).catch(() => undefined);
          const long = await read(withSpaces(bytes)).catch(() => undefined);
          expect(long?.entries).toEqual(short?.entries);
          expect(long?.problems.length).toBe(short?.problems.length);
        },
      ),
    );
  });

  it('keeps the order of lines even if their times go backwards', async () => {
    const times = (await corpus('odd-times')).messages.map(({ atMs }) => atMs - Date.UTC(2026, 4, 12, 23));
    expect(times).toEqual([123, 140, 140, 140, 50]);
  });
});

describe('a required field', () => {
  const meta = (members: string): string => `{"type":"meta",${members}}\n`;
  const start = '"startedAt":"2026-05-12T23:00:00.000Z"';
  const end = (members: string): string => `${META}{"type":"end",${members}}\n`;

  it.each([
    [meta(`${start},"label":"x","command":["x"]`), 'line 1: v is missing; version 1 is assumed'],
    [
      meta('"v":1,"startedAt":5,"label":"x","command":["x"]'),
      'line 1: startedAt must be a time, found 5; the start is unknown',
    ],
    [meta(`"v":1,${start},"command":["x"]`), 'line 1: label is missing; it is named by its command'],
    [
      meta(`"v":1,${start},"label":"x","command":"x y"`),
      'line 1: command must be an array of strings, found "x y"; the command is unknown',
    ],
    [
      meta(`"v":1,${start},"label":"x","command":[1]`),
      'line 1: command must be an array of strings, found [1]; the command is unknown',
    ],
    [end('"exitCode":0,"durationMs":1'), 'line 2: t is missing; the end is unknown'],
    [end('"t":"2026-05-12T23:00:01.000Z","durationMs":1'), 'line 2: exitCode is missing; the exit code is unknown'],
    [
      end('"t":"2026-05-12T23:00:01.000Z","exitCode":"0","durationMs":1'),
      'line 2: exitCode must be a number, found "0"; the exit code is unknown',
    ],
    [end('"t":"2026-05-12T23:00:01.000Z","exitCode":0'), 'line 2: durationMs is missing; the duration is unknown'],
  ])('reports missing and invalid fields of the lines %s', async (text, problem) => {
    expect((await read(text)).problems).toEqual([problem]);
  });

  it('accepts an end line of another producer that has a reason and no exit code', async () => {
    expect((await read(end('"t":"2026-05-12T23:00:01.000Z","reason":"session_end"'))).problems).toEqual([]);
  });
});
