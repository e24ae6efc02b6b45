import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesOf } from '../../src/formats/reading.ts';
import { blobSource } from './blob-source.ts';

async function bytesOf(blob: Blob, start: number, end: number): Promise<number[]> {
  const all: number[] = [];
  for await (const chunk of blobSource('x', blob).read(start, end)) all.push(...chunk);
  return all;
}

describe('blobSource', () => {
  it('reads the bytes of any range', async () => {
    const content = new Uint8Array(150_000).map((_, place) => place % 251);
    const blob = new Blob([content]);
    await fc.assert(
      fc.asyncProperty(fc.nat(content.length), fc.nat(content.length), async (one, other) => {
        const [start, end] = [Math.min(one, other), Math.max(one, other)];
        expect(await bytesOf(blob, start, end)).toEqual([...content.subarray(start, end)]);
      }),
    );
    expect(await bytesOf(blob, 65_536, 65_536)).toEqual([]);
  });

  it('yields the same lines as other sources for any characters and invalid bytes', async () => {
    const line = fc.oneof(
      fc.string({ unit: 'binary' }).map((text) => new TextEncoder().encode(text.replaceAll('\n', ' '))),
      fc.uint8Array().map((bytes) => bytes.map((byte) => (byte === 10 ? 0xff : byte))),
      fc.constant(new TextEncoder().encode('\ufffd a')),
    );
    const linesIn = async (blob: Blob, isQuick: boolean): Promise<unknown[]> => {
      const { quick, ...rest } = blobSource('x', blob);
      const reported: unknown[] = [];
      const source = isQuick ? { ...rest, quick } : rest;
      for await (const lines of linesOf(source, (problem) => reported.push(problem))) reported.push(...lines);
      return reported;
    };
    await fc.assert(
      fc.asyncProperty(fc.array(line), async (lines) => {
        const blob = new Blob(lines.flatMap((bytes) => [bytes, '\n']));
        const quick = await linesIn(blob, true);
        const plain = await linesIn(blob, false);
        const order = (reported: unknown[]): string[] => reported.map((each) => JSON.stringify(each)).sort();
        expect(order(quick)).toEqual(order(plain));
      }),
    );
  });
});
