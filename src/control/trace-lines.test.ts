import { describe, expect, it } from 'vitest';
import type { FileSource } from '../files/file-source.ts';
import { TraceLineFeed } from './trace-lines.ts';

const line = (seq: number, text = ''): string =>
  `{"t":"x","dir":"in","seq":${seq},"raw":{"seq":99,"text":"${text}"}}\n`;
const META = '{"v":1,"type":"meta"}\n';

function sourceOf(text: string, name = 'trace', chunkBytes = 7): FileSource {
  const bytes = Buffer.from(text);
  return {
    name,
    size: bytes.length,
    async *read(start, end) {
      for (let at = start; at < end; at += chunkBytes) yield bytes.subarray(at, Math.min(end, at + chunkBytes));
    },
    readNow: (start, end) => bytes.subarray(start, end),
  };
}

async function numbers(lines: AsyncIterable<string>): Promise<number[]> {
  const found: number[] = [];
  for await (const text of lines) found.push(Number(/"seq":(\d+)/.exec(text)?.[1]));
  return found;
}

describe('TraceLineFeed', () => {
  it('reads lines by sequence number from any position, repeatedly', async () => {
    let text = META + [0, 1, 2, 3, 4].map((seq) => line(seq, 'é'.repeat(seq))).join('');
    const trace = new TraceLineFeed(async () => sourceOf(text), 'trace');
    expect(await trace.header()).toBe(META.trim());
    expect(await numbers(trace.range(0, 3))).toEqual([0, 1, 2]);
    text += line(5) + line(6);
    expect(await numbers(trace.range(4, 7))).toEqual([4, 5, 6]);
  });

  it.each([
    ['one file', 'trace'],
    ['several files', 'trace (2 parts)'],
  ])('waits for lines that were announced before they were written, in %s', async (_, name) => {
    const texts = [META + line(0), META + line(0), META + line(0) + line(1), META + line(0) + line(1) + line(2)];
    const trace = new TraceLineFeed(async () => sourceOf(texts.shift() ?? '', name), 'trace');
    expect(await numbers(trace.range(0, 3))).toEqual([0, 1, 2]);
    expect(texts).toEqual([]);
  });

  it('does not wait for missing lines if later lines exist', async () => {
    const opened: string[] = [];
    const open = async (path: string): Promise<FileSource> => {
      opened.push(path);
      return sourceOf(META + line(0) + line(5));
    };
    expect(await numbers(new TraceLineFeed(open, 'trace').range(0, 3))).toEqual([0]);
    expect(opened).toHaveLength(1);
  });

  it('reads from the beginning again if the trace has several files', async () => {
    let source = sourceOf(META + line(0) + line(1));
    const trace = new TraceLineFeed(async () => source, 'trace');
    expect(await numbers(trace.range(0, 2))).toEqual([0, 1]);
    source = sourceOf(META + line(2), 'trace (2 parts)');
    expect(await numbers(trace.range(2, 3))).toEqual([2]);
  });

  it('reports whether the trace has grown', async () => {
    let text = META;
    const trace = new TraceLineFeed(async () => sourceOf(text), 'trace');
    expect(await trace.hasGrown()).toBe(true);
    expect(await trace.hasGrown()).toBe(false);
    text += line(0);
    expect(await trace.hasGrown()).toBe(true);
    expect(await numbers(trace.range(0, Number.POSITIVE_INFINITY))).toEqual([0]);
    text += line(1);
    expect(await numbers(trace.range(1, Number.POSITIVE_INFINITY))).toEqual([1]);
  });

  it('returns the end line once the session has ended', async () => {
    let text = META + line(0);
    const trace = new TraceLineFeed(async () => sourceOf(text), 'trace');
    expect(await trace.ending()).toBeUndefined();
    text += '{"t":"x","type":"end","exitCode":0}\n';
    expect(await trace.ending()).toBe('{"t":"x","type":"end","exitCode":0}');
  });

  it('waits at least 5 s for missing lines, then stops, and ignores an incomplete line', async () => {
    let waitedMs = 0;
    const wait = async (ms: number): Promise<void> => {
      waitedMs += ms;
    };
    const trace = new TraceLineFeed(async () => sourceOf(`${META}${line(0)}{"t":"x","seq":1`), 'trace', wait);
    expect(await numbers(trace.range(0, 5))).toEqual([0]);
    expect(waitedMs).toBeGreaterThanOrEqual(5000);
  });
});
