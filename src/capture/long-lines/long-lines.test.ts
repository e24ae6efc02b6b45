import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { header as sampleHeader } from '../../../test/contract/factories.ts';
import { GITHUB_TOKEN } from '../../../test/support/sample-secrets.ts';
import { EntryMaker } from '../../record/entry-maker.ts';
import { JournalFile } from '../../record/journal/journal-file.ts';
import { JournalLog } from '../../record/journal/journal-log.ts';
import { SLICE_BYTES } from '../../record/journal/journal-record.ts';
import { LONG_LINE_BYTES, type LongStdioLine, type ReadLongLine, StdioTraffic } from '../../record/stdio-traffic.ts';
import { TraceRecorder } from '../../record/trace-recorder.ts';
import { createRedactor } from '../../redact/redactor.ts';
import { LongLineReader } from './long-line-reader.ts';
import { readLongLine } from './read-long-line.ts';

const root = mkdtempSync(join(tmpdir(), 'mcpreel-long-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const header = sampleHeader({ startedAtMs: 0 });

const long = 'x '.repeat(LONG_LINE_BYTES);

type Read = (line: LongStdioLine, onRead: (read: ReadLongLine | undefined) => void) => void;

/** How another thread reads a line, without one. */
const readLater: Read = (line, onRead) => {
  const own = createRedactor({ mode: 'secrets', salt: 'salt' });
  setImmediate(() => onRead(readLongLine(line, own)));
};

/** A session with a journal. `read` reads its long lines; without it, the session does that itself. */
function open(read?: Read) {
  const folder = mkdtempSync(join(root, 's-'));
  const recorder = new TraceRecorder({ path: join(folder, 't.jsonl'), header, onFailure: expect.unreachable });
  const redactor = createRedactor({ mode: 'secrets', salt: 'salt' });
  const traffic = new StdioTraffic({
    maker: new EntryMaker(header.id),
    maxMessageBytes: 1 << 20,
    marksPlaces: true,
    record: (entries) => recorder.append(entries.map((entry) => redactor.entry(entry))),
    longLines: read && {
      mayRead: () => !redactor.isInsideKey,
      read,
      record: (entries) => recorder.append(entries),
    },
  });
  const log = new JournalLog({
    file: new JournalFile(join(folder, 'a.journal'), 'head\n'),
    traffic,
    maxBytes: 32 << 20,
    pace: { idleMs: 1 },
    mayForget: () => !redactor.isInsideKey,
    isWatched: () => false,
    onFailure: expect.unreachable,
  });
  return { log, traffic, trace: () => readFileSync(join(folder, 't.jsonl'), 'utf8') };
}

const LINES = [
  '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  `{"jsonrpc":"2.0","id":2,"method":"long","params":{"text":"${long}","token":"${GITHUB_TOKEN}"}}`,
  '{"jsonrpc":"2.0","id":3,"method":"ping"}',
  `[{"jsonrpc":"2.0","id":4,"method":"a"},7,{"jsonrpc":"2.0","id":5,"method":"${long}"}]`,
  `not JSON, ${GITHUB_TOKEN} ${long}`,
  `${long}-----BEGIN PRIVATE KEY-----`,
  'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9w',
  '-----END PRIVATE KEY-----',
  `\u00e9 ${long}`,
  '{"jsonrpc":"2.0","id":6,"method":"last"}',
];
const RESULTS = [2, 4, 5, 6].map((id) => `{"jsonrpc":"2.0","id":${id},"result":{"text":"${long}"}}`);

function play({ log }: ReturnType<typeof open>): void {
  const bytes = Buffer.concat([Buffer.from(`${LINES.join('\n')}\n`), Buffer.from([0xff]), Buffer.from(`${long}\n`)]);
  for (let at = 0, n = 0; at < bytes.length; at += 50_000, n++) log.bytes('in', bytes.subarray(at, at + 50_000), n);
  log.bytes('out', Buffer.from(`${RESULTS.join('\n')}\n`), 1000);
}

describe('long lines that another thread reads', () => {
  it('are recorded exactly as others, and in the same order', async () => {
    const [own, elsewhere] = [open(), open(readLater)];
    play(own);
    own.log.settle();
    play(elsewhere);
    await vi.waitFor(() => expect(elsewhere.trace()).toContain('"id":6,"result"'), { timeout: 20_000, interval: 1 });
    expect(elsewhere.trace()).toBe(own.trace());
    expect(elsewhere.trace()).not.toContain(GITHUB_TOKEN);
    expect(elsewhere.trace()).not.toContain('QUJDREVGR0hJ');
  });

  it('are read here if the rest cannot wait, or if the thread fails', async () => {
    const own = open();
    play(own);
    own.log.settle();
    for (const read of [readLater, () => undefined, (_, onRead) => setImmediate(() => onRead(undefined))] as Read[]) {
      const hurried = open(read);
      play(hurried);
      await nextTurn();
      hurried.log.settle();
      // What the thread returns now is too late.
      await nextTurn();
      expect(hurried.trace()).toBe(own.trace());
    }
  });

  it('are looked at in slices, of which each ends before the next chunk is forwarded', async () => {
    const session = open(readLater);
    const sizes: number[] = [];
    let turn = 0;
    const bytes = session.traffic.bytes.bind(session.traffic);
    vi.spyOn(session.traffic, 'bytes').mockImplementation((stream, chunk, atMs, offset) => {
      sizes[turn] = (sizes[turn] ?? 0) + chunk.length;
      bytes(stream, chunk, atMs, offset);
    });
    play(session);
    while (!session.trace().includes('"id":6,"result"')) {
      await nextTurn();
      turn++;
    }
    expect(Math.max(...sizes.filter((size) => size > 0))).toBeLessThanOrEqual(2 * SLICE_BYTES);
  });
});

it('reports that a thread could not be started', async () => {
  const rules = { mode: 'secrets', keys: [], values: [], paths: [] } as const;
  const reader = new LongLineReader({ rules, salt: 's', exactValues: [] }, join(root, 'missing.js'));
  const line: LongStdioLine = { stream: 'in', parts: [Buffer.from('{}')], atMs: 0, sequence: 0 };
  for (let time = 0; time < 2; time++) {
    expect(await new Promise((resolve) => reader.read(line, resolve))).toBeUndefined();
  }
});
