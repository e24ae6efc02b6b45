import { closeSync, linkSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { AppendLog, type LogDisk, type LogLines, realDisk } from './append-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'mcpreel-test-'));
const path = join(folder, 'log');
let descriptor = 0;

afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  descriptor = openSync(path, 'w');
});

/** A disk on which the test decides how long a write takes, and whether it is cut short or refused. */
class TestDisk implements LogDisk {
  nowMs = 0;
  writeMs = 0;
  /** Free space in bytes. */
  free = Number.POSITIVE_INFINITY;
  /** Background writes that wait until the test releases them. */
  readonly held: (() => void)[] = [];
  writes: string[] = [];

  clockMs = (): number => this.nowMs;

  writeNow = (to: number, bytes: Uint8Array, offset: number): number => {
    this.writes.push('now');
    return this.#write(to, bytes, offset);
  };

  writeSoon = (to: number, bytes: Uint8Array, offset: number): Promise<number> => {
    this.writes.push('soon');
    return new Promise((resolve, reject) => {
      this.held.push(() => {
        try {
          resolve(this.#write(to, bytes, offset));
        } catch (error) {
          reject(error as Error);
        }
      });
    });
  };

  #write(to: number, bytes: Uint8Array, offset: number): number {
    this.nowMs += this.writeMs;
    const length = Math.min(bytes.length - offset, this.free);
    if (length === 0) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    this.free -= length;
    return realDisk.writeNow(to, bytes.subarray(0, offset + length), offset);
  }
}

function logOn(disk: LogDisk): { log: AppendLog; lost: [number[], string][] } {
  const lost: [number[], string][] = [];
  return { log: new AppendLog(descriptor, { disk, onLost: (weights, why) => lost.push([[...weights], why]) }), lost };
}

/** A log on a slow disk with a pending line, and the log that follows it. */
function followedLog(disk: TestDisk): {
  log: AppendLog;
  next: AppendLog;
  lost: [number[], string][];
  nextText: () => string;
} {
  const { log, lost } = logOn(disk);
  disk.writeMs = 52;
  log.append(line('a'));
  log.append(line('b'));
  const nextPath = join(folder, 'next');
  const onLost = (weights: readonly number[], why: string): void => void lost.push([[...weights], why]);
  const next = new AppendLog(openSync(nextPath, 'w'), { disk, after: log, onLost });
  return { log, next, lost, nextText: () => readFileSync(nextPath, 'utf8') };
}

const line = (name: string): LogLines => ({ text: `${name}\n`, weights: () => [1] });
const lines = (): string[] => readFileSync(path, 'utf8').split('\n');

describe('AppendLog', () => {
  it('writes a line to the file before append returns', async () => {
    const { log, lost } = logOn(realDisk);
    log.append(line('a'));
    expect(lines()).toEqual(['a', '']);
    await log.close();
    expect(lost).toEqual([]);
  });

  it('reports the lines lost on a full disk, and continues on a new line', async () => {
    const disk = new TestDisk();
    const { log, lost } = logOn(disk);
    disk.free = 6;
    log.append({ text: 'one\ntwo\nsix\n', weights: () => [7, 1, 1] });
    expect(lost).toEqual([[[1, 1], 'the disk is full']]);
    log.append(line('lost'));
    expect(lost).toHaveLength(2);
    disk.free = 100;
    log.append(line('four'));
    log.append(line('five'));
    await log.close();
    expect(lines()).toEqual(['one', 'tw', 'four', 'five', '']);
  });

  it('counts lost lines correctly if a torn line is followed by another failed write', async () => {
    const disk = new TestDisk();
    const { log, lost } = logOn(disk);
    disk.free = 2;
    log.append(line('one'));
    disk.free = 6;
    log.append({ text: 'two\nthree\n', weights: () => [1, 1] });
    disk.free = 100;
    log.append(line('four'));
    await log.close();
    expect(lost.map(([weights]) => weights.length)).toEqual([1, 1]);
    expect(lines()).toEqual(['on', 'two', 't', 'four', '']);
  });

  it('detects that the file was removed even if its link count is not zero', async () => {
    // As on Windows, where an open file keeps its link until it is closed.
    const other = `${path}.other`;
    linkSync(path, other);
    onTestFinished(() => rmSync(other));
    const log = new AppendLog(openSync(path, 'a'), { disk: realDisk, onLost: () => undefined, path });
    expect(log.isRemoved).toBe(false);
    rmSync(path);
    expect(log.isRemoved).toBe(true);
    await log.close();
  });

  it('detects that the file was removed', async () => {
    const { log } = logOn(realDisk);
    expect(log.isRemoved).toBe(false);
    rmSync(path);
    expect(log.isRemoved).toBe(true);
    await log.close();
  });

  it('writes nothing after close, because the descriptor may belong to another file', async () => {
    const { log } = logOn(realDisk);
    await log.close();
    const stranger = openSync(join(folder, 'stranger'), 'w');
    log.append(line('late'));
    closeSync(stranger);
    expect(readFileSync(join(folder, 'stranger'), 'utf8')).toBe('');
  });
});

describe('AppendLog on a slow disk', () => {
  it('writes to a slow disk in the background, in order, until it is fast again', async () => {
    const disk = new TestDisk();
    const { log } = logOn(disk);
    disk.writeMs = 52;
    log.append(line('a'));
    for (const name of ['b', 'c', 'd']) log.append(line(name));
    expect(disk.writes).toEqual(['now', 'soon']);
    disk.held.shift()?.();
    await expect.poll(() => disk.held.length).toBe(1);
    expect(lines()).toEqual(['a', 'b', '']);
    disk.writeMs = 1;
    log.append(line('e'));
    disk.held.shift()?.();
    await expect.poll(() => disk.held.length).toBe(1);
    disk.held.shift()?.();
    await expect.poll(() => lines().length).toBe(6);
    await new Promise(setImmediate);
    log.append(line('f'));
    expect(disk.writes).toEqual(['now', 'soon', 'soon', 'soon', 'now']);
    await log.close();
    expect(lines()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', '']);
  });

  it('writes only in the background while the disk stays slow', async () => {
    const disk = new TestDisk();
    const { log } = logOn(disk);
    disk.writeMs = 52;
    log.append(line('a'));
    for (const name of ['b', 'c']) {
      log.append(line(name));
      disk.held.shift()?.();
      await expect.poll(() => lines()).toContain(name);
      await new Promise(setImmediate);
    }
    expect(disk.writes).toEqual(['now', 'soon', 'soon']);
    await log.close();
  });

  it('buffers at most 16 MB for a slow disk, and reports lost lines', async () => {
    const disk = new TestDisk();
    const { log, lost } = logOn(disk);
    disk.writeMs = 52;
    log.append(line('a'));
    const large = { text: `${'x'.repeat(5 << 20)}\n`, weights: () => [1, 0] };
    for (let i = 0; i < 4; i++) log.append(large);
    expect(lost).toEqual([[[1, 0], 'the disk is too slow']]);
    disk.held.shift()?.();
    await expect.poll(() => disk.held.length).toBe(1);
    log.append(line('b'));
    expect(lost).toHaveLength(1);
    const closed = log.close();
    while (disk.held.length > 0) {
      disk.held.shift()?.();
      await new Promise(setImmediate);
    }
    await closed;
    expect(lines().filter((text) => text.length < 10)).toEqual(['a', 'b', '']);
  });

  it('writes the lines of a file only after those of the previous file', async () => {
    const disk = new TestDisk();
    const { log, next, nextText } = followedLog(disk);
    next.append(line('c'));
    expect(disk.held).toHaveLength(1);
    const closed = Promise.all([log.close(), next.close()]);
    disk.held.shift()?.();
    await expect.poll(() => disk.held.length).toBe(1);
    expect([lines(), nextText()]).toEqual([['a', 'b', ''], '']);
    disk.held.shift()?.();
    await closed;
    expect(nextText()).toBe('c\n');
  });

  it('buffers at most 16 MB for all files together', async () => {
    const disk = new TestDisk();
    const { log, next, lost } = followedLog(disk);
    for (let i = 0; i < 3; i++) log.append({ text: `${'x'.repeat(5 << 20)}\n`, weights: () => [1] });
    next.append({ text: `${'x'.repeat(5 << 20)}\n`, weights: () => [1] });
    expect(lost).toEqual([[[1], 'the disk is too slow']]);
    const closed = Promise.all([log.close(), next.close()]);
    while (disk.held.length > 0) {
      disk.held.shift()?.();
      await new Promise(setImmediate);
    }
    await closed;
  });

  it('does not treat a disk as slow after a large write, and buffers one append of any size', async () => {
    const disk = new TestDisk();
    const { log, lost } = logOn(disk);
    const large = { text: `${'x'.repeat(20 << 20)}\n`, weights: () => [1] };
    disk.writeMs = 300;
    log.append(large);
    log.append(line('a'));
    expect(disk.writes).toEqual(['now', 'now']);
    log.append(large);
    expect(lost).toEqual([]);
    const closed = log.close();
    disk.held.shift()?.();
    await closed;
    expect(lines().map(({ length }) => length)).toEqual([20 << 20, 1, 20 << 20, 0]);
  });

  it('reports buffered lines as lost if the slow disk is also full', async () => {
    const disk = new TestDisk();
    const { log, lost } = logOn(disk);
    disk.writeMs = 52;
    log.append(line('a'));
    disk.free = 0;
    log.append({ text: 'b\nc\n', weights: () => [3, 1] });
    disk.held.shift()?.();
    await expect.poll(() => lost).toEqual([[[3, 1], 'the disk is full']]);
    await log.close();
  });

  it('waits for pending writes on close', async () => {
    const disk = new TestDisk();
    const { log } = logOn(disk);
    disk.writeMs = 52;
    log.append(line('a'));
    log.append(line('b'));
    let closed = false;
    const closing = log.close().then(() => {
      closed = true;
    });
    await new Promise(setImmediate);
    expect(closed).toBe(false);
    disk.held.shift()?.();
    await closing;
    expect(lines()).toEqual(['a', 'b', '']);
  });
});
