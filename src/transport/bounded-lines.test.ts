import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LineSplitter } from '../json/lines.ts';
import { BoundedLines } from './bounded-lines.ts';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The same, computed from the whole text. */
function expected(bytes: Uint8Array, limit: number): unknown[] {
  const splitter = new LineSplitter();
  return [...splitter.push(bytes), ...splitter.end()].map((line) => {
    const content = 'bytes' in line ? line.bytes : Buffer.from(line.text);
    return content.length > limit ? { size: content.length, sha256: sha256(content), end: line.end } : line;
  });
}

const someBytes = fc.array(fc.constantFrom(0x0a, 0x61, 0x61, 0x61, 0xc3, 0xa9, 0x0d), { maxLength: 60 });

it('reports every line of any chunks, and too long lines by size and hash', () => {
  fc.assert(
    fc.property(someBytes, fc.array(fc.nat(8)), fc.integer({ min: 1, max: 12 }), (content, cuts, limit) => {
      const bytes = Uint8Array.from(content);
      const lines = new BoundedLines(limit);
      const found: unknown[] = [];
      let at = 0;
      for (const cut of cuts) {
        found.push(...lines.push(bytes.subarray(at, at + cut)));
        at = Math.min(bytes.length, at + cut);
      }
      found.push(...lines.push(bytes.subarray(at)), ...lines.end());
      expect(found).toEqual(expected(bytes, limit));
    }),
  );
});

it('keeps no text of a line beyond the limit', () => {
  const lines = new BoundedLines(1 << 20);
  const chunk = Buffer.alloc(1 << 16, 'x');
  const before = process.memoryUsage().arrayBuffers;
  for (let i = 0; i < 2000; i++) lines.push(chunk);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 << 20);
  expect(lines.end()).toEqual([{ size: 2000 << 16, sha256: expect.stringMatching(/^[\da-f]{64}$/), end: 2000 << 16 }]);
});
