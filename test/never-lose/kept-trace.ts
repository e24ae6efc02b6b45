import { expect } from 'vitest';
// biome-ignore lint/correctness/useImportExtensions: its declarations are beside it, not in it
import { type KeptTrace, keptOf } from '../torture/support/echo-talk.mjs';

/** Reads a trace line by line, and expects every message unchanged and at its place. */
export function readKept(trace: string): KeptTrace {
  const kept = keptOf(trace);
  expect(kept.faults).toEqual([]);
  return kept;
}
