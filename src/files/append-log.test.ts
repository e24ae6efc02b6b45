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

describe('a file of lines', () => {
  it('holds what was appended as soon as the append returns', async () => {
    const { log, lost } = logOn(realDisk);
    log.append(line('a'));
    expect(lines()).toEqual(['a', '']);
    await log.close();
    expect(lost).toEqual([]);
  });

  it('tells which lines a full disk did not take, and starts the next one anew', async () => {
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

  it('counts right where a torn line is followed by a write that fails as well', async () => {
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

  it('says when somebody has removed it, where the link count does not tell', async () => {
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

  it('says when somebody has removed it', async () => {
    const { log } = logOn(realDisk);
    expect(log.isRemoved).toBe(false);
    rmSync(path);
    expect(log.isRemoved).toBe(true);
    await log.close();
  });

  it('writes nothing once it is closed: its descriptor may be another file by then', async () => {
    const { log } = logOn(realDisk);
    await log.close();
    const stranger = openSync(join(folder, 'stranger'), 'w');
    log.append(line('late'));
    closeSync(stranger);
    expect(readFileSync(join(folder, 'stranger'), 'utf8')).toBe('');
  });
});

describe('a slow disk', () => {
  it('is written to in the background, in order, until it is quick again', async () => {
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

  it('that stays slow is never waited for again', async () => {
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

  it('makes 16 MB wait and no more, and what is lost is told', async () => {
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

  it('gets the lines of a file only when those of the file before it are written', async () => {
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

  it('makes 16 MB of all files together wait', async () => {
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

  it('is not called slow for a large write, and one append of any size may wait for it', async () => {
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

  it('that is full as well loses what waited, and says so', async () => {
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

  it('is waited for at the end', async () => {
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
