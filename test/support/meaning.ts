import { expect } from 'vitest';
import type { Place } from './place.ts';

/** The steps and calls of a normalized trace, without fields that depend on the file or the time. */
export function meaningOf(text: string): Record<string, unknown>[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ episode_id: _, timestamp: __, meta, ...event }) => ({ ...event, jsonrpc_id: meta?.jsonrpc_id }));
}

/** Imports a file and returns its steps and calls. */
export async function meaning(place: Place, file: string, ...flags: string[]): Promise<Record<string, unknown>[]> {
  const { code, stderr } = await place.run(['import', file, '--out-trace', 'meaning.jsonl', ...flags]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return meaningOf(place.read('meaning.jsonl'));
}
