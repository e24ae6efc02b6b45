import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Source } from '../../../src/formats/format.ts';
import { WorkPace } from '../pace.ts';
import { type RawLine, RawLines } from './raw-lines.ts';

const encoder = new TextEncoder();

function sourceOf(bytes: Uint8Array, chunk = 7): Source {
  return {
    name: 'sample',
    size: bytes.length,
    async *read(start, end) {
      for (let at = start; at < end; at += chunk) yield bytes.slice(at, Math.min(end, at + chunk));
    },
  };
}

async function linesIn(content: string | Uint8Array, chunk?: number): Promise<RawLine[]> {
  const lines = new RawLines(sourceOf(typeof content === 'string' ? encoder.encode(content) : content, chunk));
  await lines.scan(new WorkPace(() => 0));
  return lines.read(0, lines.count);
}

describe('RawLines', () => {
  it('splits at line feeds, keeps blank lines and reports how each line ends', async () => {
    const lines = await linesIn('one\r\n\n  two\rthree\nlast');
    expect(lines.map(({ text, ending }) => [text, ending])).toEqual([
      ['one', 'crlf'],
      ['', 'lf'],
      ['  two\rthree', 'lf'],
      ['last', 'none'],
    ]);
    expect(lines.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
  });

  it('reads the same lines for any chunk size', async () => {
    const content = fc.string({ unit: fc.constantFrom('a', 'é', '𝄞', '\n', '\r') });
    await fc.assert(
      fc.asyncProperty(content, fc.integer({ min: 1, max: 9 }), async (text, chunk) => {
        const expected = text.split('\n');
        if (expected.at(-1) === '') expected.pop();
        const lines = await linesIn(text, chunk);
        expect(lines.map((line) => line.text + (line.ending === 'crlf' ? '\r' : ''))).toEqual(expected);
      }),
    );
  });

  it('marks where a line is not UTF-8 and shows the rest', async () => {
    const [, bad] = await linesIn(new Uint8Array([0x61, 0x0a, 0x62, 0xff, 0x63, 0x0a]));
    expect(bad).toMatchObject({ text: 'b\uFFFDc', faultAt: 1, bytes: 3 });
  });

  it('cuts long lines in a list, and reads a single line whole', async () => {
    const long = 'é'.repeat(3000);
    const lines = new RawLines(sourceOf(encoder.encode(`a\n${long}\nb`), 1 << 16));
    await lines.scan(new WorkPace(() => 0));
    const [, cut] = await lines.read(0, 3);
    expect(cut).toMatchObject({ bytes: 6000, isCut: true, ending: 'lf', faultAt: undefined });
    expect(cut?.text).toBe('é'.repeat(1024));
    expect(await lines.line(1)).toMatchObject({ text: long, isCut: false });
    expect(await lines.line(1, 5)).toMatchObject({ text: 'éé', bytes: 6000, isCut: true });
  });
});
