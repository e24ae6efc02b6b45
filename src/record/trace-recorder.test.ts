import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type LogDisk, realDisk } from '../files/append-log.ts';
import type { Entry } from '../model/entry.ts';
import type { SessionHeader } from '../model/session.ts';
import { partPath } from './trace-parts.ts';
import { TraceRecorder, type TraceRecorderOptions } from './trace-recorder.ts';

const folder = mkdtempSync(join(tmpdir(), 'mcpreel-test-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const header: SessionHeader = {
  id: '550e8400-e29b-41d4-a716-446655440000',
  startedAtMs: 0,
  label: 'a',
  transport: 'stdio',
  command: ['a'],
  url: undefined,
  metadata: '{}',
};
const footer = { endedAtMs: 0, exitCode: 0, durationMs: 0 };
const entry: Entry = { kind: 'event', event: 'stdio.stderr', atMs: 0, raw: '{"text":"late"}' };

function newRecorder(options: Partial<TraceRecorderOptions> = {}): { recorder: TraceRecorder; failures: string[] } {
  const failures: string[] = [];
  const path = join(mkdtempSync(join(folder, 'trace-')), 'a.jsonl');
  const recorder = new TraceRecorder({ path, header, onFailure: (why) => failures.push(why), ...options });
  return { recorder, failures };
}

const sent = (text: string): Entry => ({ ...entry, raw: JSON.stringify({ text }) });
/** The gaps and messages in a trace file. */
function contentOf(path: string): unknown[] {
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; kind: string; raw: { text?: string; missed?: number } })
    .map(({ type, kind, raw }) => (type === 'event' ? (kind === 'mcpreel.gap' ? raw : raw.text) : type));
}

/** The real disk, with a clock that the test sets and limited space. */
class LimitedDisk implements LogDisk {
  nowMs = 0;
  free = Number.POSITIVE_INFINITY;
  readonly clockMs = (): number => this.nowMs;
  readonly writeSoon = realDisk.writeSoon;
  readonly writeNow = (to: number, bytes: Uint8Array, offset: number): number => {
    const length = Math.min(bytes.length - offset, this.free);
    if (length === 0) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    this.free -= length;
    return realDisk.writeNow(to, bytes.subarray(0, offset + length), offset);
  };
}

it('writes nothing after it is closed, not even to a file that reuses its descriptor', async () => {
  const { recorder, failures } = newRecorder();
  await recorder.close(footer);
  const stranger = openSync(join(folder, 'stranger'), 'w');
  recorder.append([entry]);
  closeSync(stranger);
  expect(readFileSync(join(folder, 'stranger'), 'utf8')).toBe('');
  expect(readFileSync(recorder.path, 'utf8')).not.toContain('late');
  expect(failures).toEqual([]);
});

it('counts entries that cannot be written, and reports them with the next one that can', async () => {
  const { recorder, failures } = newRecorder();
  const unwritable = { ...entry, atMs: Number.NaN };
  recorder.append([entry, unwritable]);
  recorder.append([unwritable]);
  recorder.append([entry]);
  await recorder.close(footer);
  const lines = readFileSync(recorder.path, 'utf8').trimEnd().split('\n');
  expect(lines).toEqual([
    expect.stringContaining('"type":"meta"'),
    expect.stringMatching(/"kind":"mcpreel\.gap".*"raw":\{"missed":3,"why":"Invalid time value"\}\}$/),
    expect.stringContaining('"text":"late"'),
    expect.stringContaining('"type":"end"'),
  ]);
  expect(failures).toHaveLength(1);
});

describe('a full disk', () => {
  it('leaves a gap with the exact number of entries that were not written', async () => {
    const disk = new LimitedDisk();
    const { recorder, failures } = newRecorder({ disk });
    recorder.append([sent('1')]);
    disk.free = 150;
    recorder.append(['2', '3', '4'].map(sent));
    recorder.append([sent('5')]);
    disk.free = Number.POSITIVE_INFINITY;
    recorder.append([sent('6')]);
    await recorder.close(footer);
    const text = readFileSync(recorder.path, 'utf8');
    expect(text).toContain('"raw":{"text":"2"}');
    expect(text).toContain('"raw":{"missed":3,"why":"the disk is full"}');
    const whole = text.split('\n').filter((line) => line.endsWith('}'));
    expect(whole.map((line) => (JSON.parse(line) as { seq?: number }).seq)).toEqual([undefined, 0, 1, 2, 3, undefined]);
    expect(failures).toEqual(['the disk is full']);
  });

  it('starts the trace as soon as there is room for its header', async () => {
    const disk = new LimitedDisk();
    disk.free = 20;
    const { recorder, failures } = newRecorder({ disk });
    expect(recorder.isRecording).toBe(false);
    expect(existsSync(recorder.path)).toBe(false);
    recorder.append([sent('1')]);
    disk.free = Number.POSITIVE_INFINITY;
    recorder.append([sent('2')]);
    disk.nowMs += 1000;
    recorder.append([sent('3')]);
    await recorder.close(footer);
    expect(contentOf(recorder.path)).toEqual(['meta', { missed: 2, why: 'the disk is full' }, '3', 'end']);
    expect(failures).toEqual(['the disk is full']);
  });
});

describe('a trace path that is not writable', () => {
  it('starts the trace once its path becomes writable', async () => {
    const disk = new LimitedDisk();
    const path = join(mkdtempSync(join(folder, 'place-')), 'not yet', 'a.jsonl');
    writeFileSync(join(path, '..'), 'a file');
    const { recorder, failures } = newRecorder({ disk, path });
    recorder.append([sent('1'), sent('2')]);
    rmSync(join(path, '..'));
    disk.nowMs += 999;
    recorder.append([sent('3')]);
    expect(recorder.isRecording).toBe(false);
    disk.nowMs += 1;
    recorder.append([sent('4')]);
    await recorder.close(footer);
    const why = 'part of the path is not a folder';
    expect(contentOf(path)).toEqual(['meta', { missed: 3, why }, '4', 'end']);
    expect(failures).toEqual([why]);
  });

  it('starts the trace again after it was removed', async () => {
    const disk = new LimitedDisk();
    const { recorder, failures } = newRecorder({ disk });
    recorder.append([sent('1'), sent('2')]);
    rmSync(join(recorder.path, '..'), { recursive: true });
    recorder.append([sent('3')]);
    disk.nowMs += 1000;
    recorder.append([sent('4')]);
    await recorder.close(footer);
    expect(contentOf(recorder.path)).toEqual(['meta', { missed: 3, why: 'the trace was removed' }, '4', 'end']);
    expect(failures).toEqual(['the trace was removed']);
  });

  it('reports at the end that the trace was removed shortly before', async () => {
    const { recorder } = newRecorder();
    recorder.append([sent('1')]);
    rmSync(recorder.path);
    await recorder.close(footer);
    expect(contentOf(recorder.path)).toEqual(['meta', { missed: 1, why: 'the trace was removed' }, 'end']);
  });
});

describe('rotation', () => {
  const metaOf = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8').split('\n', 1)[0] ?? '');

  it('counts an entry that cannot be written, and no other', async () => {
    const { recorder } = newRecorder({ rotation: { maxBytes: 10_000, maxFiles: 9 } });
    recorder.append([sent('before'), { ...entry, atMs: Number.NaN }, sent('after')]);
    await recorder.close(footer);
    expect(contentOf(recorder.path)).toEqual([
      'meta',
      'before',
      { missed: 1, why: 'Invalid time value' },
      'after',
      'end',
    ]);
  });

  it('continues in a new file before one grows too large, and records where each begins', async () => {
    const { recorder } = newRecorder({ rotation: { maxBytes: 800, maxFiles: 99 } });
    const first = recorder.path;
    for (const word of 'abcdefgh') recorder.append([sent(word.repeat(20))]);
    await recorder.close(footer);
    const paths = [1, 2, 3, 4, 5, 6].map((part) => partPath(first, part)).filter((path) => existsSync(path));
    expect(recorder.path).toBe(paths.at(-1));
    expect(paths.length).toBeGreaterThan(2);
    let before = 0;
    for (const [index, path] of paths.entries()) {
      expect(metaOf(path)).toMatchObject({ type: 'meta', id: header.id, part: index + 1, before });
      expect(statSync(path).size).toBeLessThanOrEqual(800);
      before += contentOf(path).length - (path === recorder.path ? 2 : 1);
    }
    expect(paths.flatMap(contentOf).filter((word) => word !== 'meta')).toEqual([
      ...Array.from('abcdefgh', (word) => word.repeat(20)),
      'end',
    ]);
  });

  it('writes a line that exceeds the file limit to a file of its own', async () => {
    const { recorder } = newRecorder({ rotation: { maxBytes: 500, maxFiles: 99 } });
    const first = recorder.path;
    for (const word of ['a', 'b'.repeat(1000), 'c']) recorder.append([sent(word)]);
    await recorder.close(footer);
    expect([1, 2, 3].map((part) => contentOf(partPath(first, part)))).toEqual([
      ['meta', 'a'],
      ['meta', 'b'.repeat(1000)],
      ['meta', 'c', 'end'],
    ]);
  });

  it('reports a gap before the next line, even if both were appended at once', async () => {
    const disk = new LimitedDisk();
    const { recorder } = newRecorder({ disk, rotation: { maxBytes: 10_000, maxFiles: 9 } });
    disk.free = 150;
    recorder.append([sent('a'.repeat(200)), sent('b')]);
    disk.free = Number.POSITIVE_INFINITY;
    recorder.append([sent('c')]);
    await recorder.close(footer);
    const reported = readFileSync(recorder.path, 'utf8').split('\n');
    expect(
      reported.filter((line) => line.endsWith('}')).map((line) => /"(?:missed|text)":[^,}]+/.exec(line)?.[0]),
    ).toEqual([undefined, '"missed":2', '"text":"c"', undefined]);
  });

  it('keeps only the last files', async () => {
    const { recorder } = newRecorder({ rotation: { maxBytes: 1, maxFiles: 2 } });
    const first = recorder.path;
    for (const word of 'abcde') recorder.append([sent(word)]);
    await recorder.close(footer);
    expect(readdirSync(join(first, '..')).sort()).toEqual(['a.part-4.jsonl', 'a.part-5.jsonl']);
    expect(metaOf(recorder.path)).toMatchObject({ part: 5, before: 4 });
  });

  it('stays in a file that is too large if the next one cannot be created', async () => {
    const { recorder, failures } = newRecorder({ rotation: { maxBytes: 1, maxFiles: 9 } });
    const first = recorder.path;
    recorder.append([sent('a')]);
    rmSync(join(first, '..'), { recursive: true });
    writeFileSync(join(first, '..'), 'a file');
    recorder.append([sent('b')]);
    expect(recorder.path).toBe(first);
    // No data was lost, so there is nothing to report.
    expect(failures).toEqual([]);
    await recorder.close(footer);
  });
});
