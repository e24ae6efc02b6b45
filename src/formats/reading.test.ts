import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sourceOf } from '../../test/contract/memory-source.ts';
import { scanTopLevel } from './children.ts';
import type { ReadProblem } from './format.ts';
import { linesOf, oncePerFile, readHead } from './reading.ts';

async function lines(
  content: string | Uint8Array,
  cuts = 1000,
): Promise<{ lines: [number, string, boolean][]; problems: ReadProblem[] }> {
  const problems: ReadProblem[] = [];
  const found: [number, string, boolean][] = [];
  for await (const batch of linesOf(sourceOf(content, 'memory', cuts), (problem) => problems.push(problem))) {
    for (const { number, text, ended } of batch) found.push([number, text, ended]);
  }
  return { lines: found, problems };
}

describe('linesOf', () => {
  it('numbers lines from 1 and skips blank lines and a byte order mark', async () => {
    expect((await lines('\uFEFFa\n\n \t\r\nb\r\n\uFEFFc')).lines).toEqual([
      [1, 'a', true],
      [4, 'b\r', true],
      [5, '\uFEFFc', false],
    ]);
    expect((await lines('\uFEFF\n')).lines).toEqual([]);
  });

  it('reports a line that is not UTF-8 and continues', async () => {
    const bytes = new Uint8Array([0x61, 0x0a, 0x62, 0xff, 0x0a, 0x63]);
    expect(await lines(bytes)).toEqual({
      lines: [
        [1, 'a', true],
        [3, 'c', false],
      ],
      problems: [{ place: 'line 2', what: 'not UTF-8 at byte 1', contract: 'line 2 is not UTF-8 at byte 1' }],
    });
  });

  it('yields the same lines in any chunking', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom('a', 'é', '🦊', '\n', '\r', ' ') }),
        fc.integer({ min: 1, max: 5 }),
        async (text, cuts) => {
          expect(await lines(text, cuts)).toEqual(await lines(text));
        },
      ),
    );
  });
});

describe('readHead', () => {
  it('returns the first 4 KiB as text, in any chunking', async () => {
    const text = `\uFEFF${'é'.repeat(5000)}`;
    for (const cuts of [1, 3, 5000]) expect(await readHead(sourceOf(text, 'memory', cuts))).toBe(text.slice(0, 2047));
    expect(await readHead(sourceOf(''))).toBe('');
  });
});

describe('oncePerFile', () => {
  it('forwards the problems of the first pass only', () => {
    const seen: string[] = [];
    const problemsOf = oncePerFile({ onProblem: ({ what }) => seen.push(what) });
    const first = problemsOf();
    problemsOf()({ place: '', what: 'again' });
    first({ place: '', what: 'first' });
    expect(seen).toEqual(['first']);
  });
});

describe('scanTopLevel', () => {
  it('returns the span of each member, and the text of the selected ones', async () => {
    const text = '{"a":1, "b":[{"a":2}],"c":"é"}';
    const { container, members, fault } = await scanTopLevel(sourceOf(text, 'memory', 1), (key) => key !== 'b');
    const seen = [...members].map(([key, { start, end, bytes }]) => [
      key,
      text.slice(start, end),
      bytes && new TextDecoder().decode(bytes),
    ]);
    expect([container, seen.slice(0, 2), fault]).toEqual([
      '{',
      [
        ['a', '1', '1'],
        ['b', '[{"a":2}]', undefined],
      ],
      undefined,
    ]);
    expect(seen[2]?.[2]).toBe('"é"');
  });

  it('ends a cut-off last member at the end of the file', async () => {
    const { members, fault } = await scanTopLevel(sourceOf('{"a":1,"b":[1,2'), () => true);
    expect(members.get('b')).toEqual({ start: 11, end: 15, bytes: undefined });
    expect(fault).toBe('cut off before its end');
  });
});
