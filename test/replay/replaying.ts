import { expect } from 'vitest';
import type { Outcome } from '../support/mcpreel-process.ts';
import type { Place } from '../support/place.ts';
import type { Json } from '../support/recordings.ts';
import type { Connect, Connected, Offer } from '../support/sdk-clients.ts';

/** A message of the client in a results file. */
export interface Replayed {
  readonly original_request: { readonly id: string; readonly method: string; readonly jsonrpc_id: unknown };
  readonly sent_message: Json | null;
  readonly response: Json | null;
  readonly recorded_response: Json | null;
  readonly error: string | null;
  readonly duration_ms: number | null;
  readonly verdict: string;
  readonly differences: readonly { path: string; recorded?: unknown; replayed?: unknown }[];
}

export interface Replay {
  readonly outcome: Outcome;
  readonly summary: Readonly<Record<string, number>>;
  readonly results: readonly Replayed[];
}

/** Lets a client talk to a stdio server through mcpreel, which writes `session.json`. */
export async function recordTalk(
  connect: Connect,
  offer: { place: Place; server: readonly string[] } & Pick<Offer, 'rootUri' | 'roots'>,
  converse: (connected: Connected) => Promise<unknown>,
): Promise<void> {
  const { server, ...rest } = offer;
  const connected = await connect({ ...rest, args: ['--session-file', 'session.json', '--', ...server] });
  try {
    await converse(connected);
  } finally {
    await connected.client.close();
  }
}

/** Replays `session.json` with these flags, and reads the results. */
export async function replay(place: Place, args: readonly string[]): Promise<Replay> {
  const outcome = await place.run(['replay', 'session.json', '--output', 'results.json', ...args]);
  if (!place.files().includes('results.json')) throw new Error(`No results:\n${outcome.stdout}${outcome.stderr}`);
  const { summary, results } = JSON.parse(place.read('results.json')) as Omit<Replay, 'outcome'>;
  return { outcome, summary, results };
}

/** Expects every response to match the recorded one, and shows the differences. */
export function expectAllMatch({ outcome, results, summary }: Replay, atLeast: number): void {
  const others = results.filter(({ verdict }) => verdict !== 'match' && verdict !== 'sent');
  expect(
    others.map(({ original_request, verdict, error, differences }) => ({
      ...original_request,
      verdict,
      error,
      differences,
    })),
  ).toEqual([]);
  expect(summary.matched).toBe(summary.total);
  expect(summary.total).toBeGreaterThanOrEqual(atLeast);
  expect(outcome.code).toBe(0);
}
