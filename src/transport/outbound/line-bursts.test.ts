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

describe('lines that are written in bursts', () => {
  it('go out one at a time while there is one in a turn', async () => {
    const { stream, pieces } = kept();
    const lines = new LineBursts(stream);
    for (const line of ['a\n', 'b\n']) {
      lines.write(line);
      expect(pieces.at(-1)).toBe(line);
      await nextTurn();
    }
    expect(pieces).toEqual(['a\n', 'b\n']);
  });

  it('go out twice as many at once each time within a turn, and the rest when it is over', async () => {
    const { stream, pieces } = kept();
    const lines = new LineBursts(stream);
    for (let n = 0; n < 10; n++) lines.write(`${n}\n`);
    expect(pieces).toEqual(['0\n', '1\n2\n', '3\n4\n5\n6\n']);
    await nextTurn();
    expect(pieces.at(-1)).toBe('7\n8\n9\n');
  });

  it('are all there when the stream is ended', () => {
    const { stream, pieces } = kept();
    const lines = new LineBursts(stream);
    for (const line of ['a\n', 'b\n']) lines.write(line);
    lines.end();
    expect(pieces.join('')).toBe('a\nb\n');
    expect(stream.writableEnded).toBe(true);
  });

  it('are not kept back where the reader answers while it is written to', async () => {
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
