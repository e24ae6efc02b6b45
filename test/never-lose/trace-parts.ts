import { expect } from 'vitest';
import type { Place } from '../support/place.ts';
import { type Json, jsonLines } from '../support/recordings.ts';

/** The names of a trace's parts, in order. */
export function partsIn(place: Place, first = 'trace.jsonl'): string[] {
  const number = (name: string): number => Number(/\.part-(\d+)/.exec(name)?.[1] ?? 1);
  return place
    .files()
    .filter((name) => name.startsWith(first.replace('.jsonl', '')) && name.endsWith('.jsonl'))
    .sort((a, b) => number(a) - number(b));
}

/** The part number that each part declares. */
export function partNumbers(place: Place, names: readonly string[]): unknown[] {
  return names.map((name) => (JSON.parse(place.read(name).split('\n', 1)[0] ?? '') as Json).part);
}

/** The concatenated parts of a trace. Expects all parts to be of one session, numbered and private. */
export function expectRightParts(place: Place, names: readonly string[]): string {
  const parts = names.map((name) => place.read(name));
  const ids = new Set(parts.map((part) => jsonLines(part)[0]?.id));
  expect(ids.size).toBe(1);
  for (const [index, part] of parts.entries()) {
    const [meta, ...lines] = jsonLines(part);
    const [first] = lines.filter((line) => line.type !== 'end');
    expect(meta).toMatchObject({ type: 'meta', label: 'echo' });
    if (first !== undefined) expect(meta?.before).toBe(first.seq);
    expect(place.mode(names[index] ?? '')).toBe(0o600);
  }
  return parts.join('');
}
