import { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { LineBursts } from './line-bursts.ts';

/** A stream that keeps each chunk written to it, and reports it at once. */
function kept(onPiece: (piece: string) => void = () => undefined): { stream: Writable; pieces: string[] } {
  const pieces: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write(piece: string, _encoding, done) {
      pieces.push(piece);
      onPiece(piece);
      done();
    },
  });
  return { stream, pieces };
}

describe('LineBursts', () => {
  it('writes a line at once when it is the only one in its turn', async () => {
    const { stream, pieces } = kept();
    const lines = new LineBursts(stream);
    for (const line of ['a\n', 'b\n']) {
      lines.write(line);
      expect(pieces.at(-1)).toBe(line);
      await nextTurn();
    }
    expect(pieces).toEqual(['a\n', 'b\n']);
  });

  it('doubles the lines per write within a turn and writes the rest at its end', async () => {
    const { stream, pieces } = kept();
    const lines = new LineBursts(stream);
    for (let n = 0; n < 10; n++) lines.write(`${n}\n`);
    expect(pieces).toEqual(['0\n', '1\n2\n', '3\n4\n5\n6\n']);
    await nextTurn();
    expect(pieces.at(-1)).toBe('7\n8\n9\n');
  });

  it('writes all lines before the stream ends', () => {
    const { stream, pieces } = kept();
    const lines = new LineBursts(stream);
    for (const line of ['a\n', 'b\n']) lines.write(line);
    lines.end();
    expect(pieces.join('')).toBe('a\nb\n');
    expect(stream.writableEnded).toBe(true);
  });

  it('does not hold back lines that are added during a write', async () => {
    const { stream, pieces } = kept((piece) => {
      if (piece === 'b\n') lines.write('c\n');
    });
    const lines = new LineBursts(stream);
    for (const line of ['a\n', 'b\n']) lines.write(line);
    await nextTurn();
    await nextTurn();
    expect(pieces).toEqual(['a\n', 'b\n', 'c\n']);
  });
});
