import { expect } from 'vitest';
import type { Place } from './place.ts';

/** The steps and calls of a normalised trace, without what differs by file and time. */
export function meaningOf(text: string): Record<string, unknown>[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ episode_id: _, timestamp: __, meta, ...event }) => ({ ...event, jsonrpc_id: meta?.jsonrpc_id }));
}

/** What a file means when it is imported. */
export async function meaning(place: Place, file: string, ...flags: string[]): Promise<Record<string, unknown>[]> {
  const { code, stderr } = await place.run(['import', file, '--out-trace', 'meaning.jsonl', ...flags]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return meaningOf(place.read('meaning.jsonl'));
}
