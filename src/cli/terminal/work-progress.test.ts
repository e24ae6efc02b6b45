import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FileSource } from '../../files/file-source.ts';
import { StatusLine } from './status-line.ts';
import { WorkProgress } from './work-progress.ts';

const ERASE = '\r\u001b[2K';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Progress on a terminal, and the texts it showed; an empty text is an erased line. */
function progressOn({ columns = 80 } = {}) {
  const shown: string[] = [];
  const write = (text: string): boolean => shown.push(text.replace(ERASE, '')) > 0;
  const line = new StatusLine({ write, columns }, { showsResults: true, onInterrupt: () => () => undefined });
  return { progress: new WorkProgress(line, Date.now), line, shown };
}

/** A source of this size that is read in ten chunks. */
function tenths({ name = 'big.jsonl', size = 1000 } = {}): FileSource {
  return {
    name,
    size,
    async *read(start, end) {
      for (let at = start; at < end; at += size / 10) yield new Uint8Array(Math.min(size / 10, end - at));
    },
    readNow: (start, end) => new Uint8Array(end - start),
  };
}

/** Reads one chunk after the other and works on each for this long. */
async function readThrough(chunks: AsyncIterable<Uint8Array>, msPerChunk: number): Promise<number> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    await vi.advanceTimersByTimeAsync(msPerChunk);
  }
  return bytes;
}

describe('WorkProgress', () => {
  it('shows nothing for work that takes less than a second', async () => {
    const { progress, shown } = progressOn();
    expect(await readThrough(progress.source(tenths()).read(0, 1000), 99)).toBe(1000);
    expect(shown).toEqual([]);
  });

  it('shows name, percentage and amounts after one second, and clears itself at the end', async () => {
    const { progress, shown } = progressOn();
    await readThrough(progress.source(tenths()).read(0, 1000), 300);
    await vi.advanceTimersByTimeAsync(100);
    expect(shown).toEqual([
      ...[40, 50, 60, 70, 80, 90, 100].map(
        (percent) => `Reading big.jsonl: ${percent} % (${percent === 100 ? '1.0 kB' : `${percent}0 B`} of 1.0 kB)`,
      ),
      '',
    ]);
  });

  it('writes at most ten times a second, however many chunks there are', async () => {
    const { progress, shown } = progressOn();
    const source = progress.source({ ...tenths(), size: 1_000_000, read: () => singleBytes(1_000_000) });
    const reading = source.read(0, 1_000_000);
    for (let n = 0; n < 30_000; n++) {
      await reading.next();
      if (n % 10 === 0) vi.advanceTimersByTime(1);
    }
    expect(shown.length).toBeGreaterThan(18);
    expect(shown.length).toBeLessThanOrEqual(21);
  });

  it('leaves no timer running, neither at the end nor when a read is abandoned', async () => {
    const { progress, shown } = progressOn();
    await readThrough(progress.source(tenths()).read(0, 1000), 10);
    await vi.advanceTimersByTimeAsync(100);
    expect(vi.getTimerCount()).toBe(0);

    const abandoned = progress.source(tenths()).read(0, 1000);
    await abandoned.next();
    await vi.advanceTimersByTimeAsync(1000);
    expect(shown.at(-1)).toContain('Reading');
    progress.close();
    expect(shown.at(-1)).toBe('');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('restarts with each pass, at the position that is read', async () => {
    const { progress, shown } = progressOn();
    const source = progress.source(tenths());
    await readThrough(source.read(0, 1000), 200);
    shown.length = 0;
    await readThrough(source.read(500, 700), 200);
    expect(shown).toEqual(['Reading big.jsonl: 60 % (600 B of 1.0 kB)', 'Reading big.jsonl: 70 % (700 B of 1.0 kB)']);
  });

  it('never shows more than 100 %, even if the file has grown', async () => {
    const { progress, shown } = progressOn();
    const grown = { ...tenths(), size: 400 };
    await readThrough(progress.source(grown).read(0, 1000), 300);
    expect(new Set(shown)).toEqual(new Set(['Reading big.jsonl: 100 % (400 B of 400 B)']));
  });

  it('shows the bytes read from a stream, even while no data arrives', async () => {
    const { progress, shown } = progressOn();
    const stream = progress.stream(tenths().read(0, 200), 'standard input')[Symbol.asyncIterator]();
    await stream.next();
    await vi.advanceTimersByTimeAsync(5000);
    expect(shown).toEqual(['Reading standard input: 100 B']);
  });

  it('does not wrap an input stream that is a terminal', () => {
    const { progress } = progressOn();
    const typed = Object.assign(tenths().read(0, 100), { isTTY: true });
    expect(progress.stream(typed, 'standard input')).toBe(typed);
  });

  it('shows the number of replayed messages while the next one is slow', async () => {
    const { progress, shown } = progressOn();
    const advance = progress.replaying('talk.json', 3);
    // A replay reads the recording first.
    await readThrough(progress.source(tenths()).read(0, 1000), 10);
    for (let n = 0; n < 4; n++) {
      await vi.advanceTimersByTimeAsync(2000);
      advance();
    }
    await vi.advanceTimersByTimeAsync(100);
    expect(shown).toEqual([
      'Replaying talk.json: 0 % (0 of 3 messages)',
      'Replaying talk.json: 33 % (1 of 3 messages)',
      'Replaying talk.json: 66 % (2 of 3 messages)',
      '',
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('names the current file of several, and includes small files once the total takes long', async () => {
    const { progress, shown } = progressOn();
    for (let number = 1; number <= 3; number++) {
      progress.turnTo(number, 3);
      await readThrough(progress.source(tenths({ name: `${number}.json` })).read(0, 1000), 50);
    }
    expect(shown.at(-1)).toBe('Reading 3 of 3, 3.json: 100 % (1.0 kB of 1.0 kB)');
    expect(shown.some((text) => text.includes('1.json'))).toBe(false);
  });

  it('stays hidden while results are printed or wait to be read', async () => {
    const { progress, line, shown } = progressOn();
    const chunks = progress.source(tenths()).read(0, 1000);
    for (let n = 0; n < 5; n++) {
      await chunks.next();
      line.makeWay('stdout', 'a result\n');
      await vi.advanceTimersByTimeAsync(900);
    }
    await vi.advanceTimersByTimeAsync(60_000);
    expect(shown).toEqual([]);

    await chunks.next();
    await vi.advanceTimersByTimeAsync(1000);
    expect(shown).toEqual(['Reading big.jsonl: 60 % (600 B of 1.0 kB)']);
  });

  it('clears itself right after a large read, because processing may block interrupt handling', async () => {
    const { progress, shown } = progressOn();
    await readThrough(progress.source(tenths({ size: 10_000_000 })).read(0, 10_000_000), 200);
    expect(shown.at(-1)).toBe('');
  });

  it('clears itself if reading fails, and passes the error on', async () => {
    const { progress, shown } = progressOn();
    const failing = progress.source({ ...tenths(), read: failingAfterOne });
    await expect(readThrough(failing.read(0, 1000), 2000)).rejects.toThrow('disk on fire');
    await vi.advanceTimersByTimeAsync(100);
    expect(shown).toEqual(['Reading big.jsonl: 10 % (100 B of 1.0 kB)', '']);
  });

  it.each([
    [79, 'recordings/of/yesterday/big.jsonl', 'Reading recordings/of/yesterday/big.jsonl: 10 % (100 B of 1.0 kB)'],
    [50, 'recordings/of/yesterday/big.jsonl', 'Reading …sterday/big.jsonl: 10 % (100 B of 1.0 kB)'],
    [45, '記録記録記録記録記録', 'Reading …記録記録記録: 10 % (100 B of 1.0 kB)'],
    [29, 'recordings/of/yesterday/big.jsonl', 'Reading …: 10 % (100 B of 1.0'],
    [60, 'a\u001b[31m\nb', 'Reading a\\u001b[31m\\nb: 10 % (100 B of 1.0 kB)'],
  ])('fits the progress line into %i columns', async (width, name, text) => {
    const { progress, shown } = progressOn({ columns: width + 1 });
    await progress.source(tenths({ name })).read(0, 1000).next();
    await vi.advanceTimersByTimeAsync(1000);
    expect(shown).toEqual([text]);
  });
});

async function* singleBytes(count: number): AsyncGenerator<Uint8Array> {
  const byte = new Uint8Array(1);
  for (let n = 0; n < count; n++) yield byte;
}

async function* failingAfterOne(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(100);
  throw new Error('disk on fire');
}
