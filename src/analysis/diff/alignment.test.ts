import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignKeys } from './alignment.ts';

type Pairs = readonly (readonly [number, number])[];

function align(
  a: readonly number[],
  b: readonly number[],
): Record<'inOrder' | 'moved', Pairs> & Record<'onlyA' | 'onlyB', readonly number[]> {
  const { partners, ...rest } = alignKeys(a, b);
  return { inOrder: [...partners.entries()].filter(([, inB]) => inB >= 0), ...rest };
}

function keys(text: string): number[] {
  return [...text].map((letter) => letter.charCodeAt(0));
}

describe('alignKeys', () => {
  it.each([
    [
      'one call less at the beginning',
      'lxl',
      'xl',
      {
        inOrder: [
          [1, 0],
          [2, 1],
        ],
        moved: [],
        onlyA: [0],
        onlyB: [],
      },
    ],
    [
      'one call more in the middle',
      'abab',
      'abxab',
      {
        inOrder: [
          [0, 0],
          [1, 1],
          [2, 3],
          [3, 4],
        ],
        moved: [],
        onlyA: [],
        onlyB: [2],
      },
    ],
    [
      'a call that moved',
      'abcd',
      'bcda',
      {
        inOrder: [
          [1, 0],
          [2, 1],
          [3, 2],
        ],
        moved: [[0, 3]],
        onlyA: [],
        onlyB: [],
      },
    ],
    [
      'another call',
      'axb',
      'ayb',
      {
        inOrder: [
          [0, 0],
          [2, 2],
        ],
        moved: [],
        onlyA: [1],
        onlyB: [1],
      },
    ],
    ['nothing in common', 'ab', 'cd', { inOrder: [], moved: [], onlyA: [0, 1], onlyB: [0, 1] }],
    ['an empty side', '', 'a', { inOrder: [], moved: [], onlyA: [], onlyB: [0] }],
  ])('aligns sequences with %s', (_, a, b, expected) => {
    expect(align(keys(a), keys(b))).toEqual(expected);
  });

  it('pairs only equal keys, each at most once, and as many as occur on both sides', () => {
    const sequence = fc.array(fc.nat(6), { maxLength: 40 });
    fc.assert(
      fc.property(sequence, sequence, (a, b) => {
        const { inOrder, moved, onlyA, onlyB } = align(a, b);
        const pairs = [...inOrder, ...moved];
        for (const [inA, inB] of pairs) expect(a[inA]).toBe(b[inB]);
        expect([...pairs.map(([inA]) => inA), ...onlyA].sort((x, y) => x - y)).toEqual([...a.keys()]);
        expect([...pairs.map(([, inB]) => inB), ...onlyB].sort((x, y) => x - y)).toEqual([...b.keys()]);
        const left = new Set(onlyA.map((place) => a[place]));
        expect(onlyB.filter((place) => left.has(b[place]))).toEqual([]);
        for (const [n, [inA, inB]] of inOrder.entries()) {
          const [beforeA = -1, beforeB = -1] = inOrder[n - 1] ?? [];
          expect(inA > beforeA && inB > beforeB).toBe(true);
        }
      }),
    );
  });

  it('aligns 100,000 keys that have little in common without slowing down', () => {
    const a = Array.from({ length: 100_000 }, (_, n) => (n * 7919) % 50_000);
    const b = Array.from({ length: 100_000 }, (_, n) => (n * 104_729) % 60_000);
    const { inOrder, moved } = align(a, b);
    expect(inOrder.length + moved.length).toBeGreaterThan(50_000);
  });
});
