import { expect } from 'vitest';
import { MCPREEL } from '../support/mcpreel-process.ts';
import { Place } from '../support/place.ts';
import { Peer } from './peer.ts';

/** What a client does with a server, and what it observed. */
export type Drive<Sight> = (peer: Peer) => Promise<Sight>;

const TRACE = 'trace.jsonl';

/** The command that a client runs instead of the server. The trace is `trace.jsonl` in the working folder. */
export function reelCommand(server: readonly string[], flags: readonly string[] = []): string[] {
  return [process.execPath, MCPREEL, '--trace-file', TRACE, ...flags, '--', ...server];
}

/** A server behind mcpreel, and its recording. */
export class Reeled {
  readonly peer: Peer;
  readonly #place: Place;

  constructor(place: Place, server: readonly string[], flags: readonly string[] = []) {
    this.#place = place;
    this.peer = new Peer(reelCommand(server, flags), place.folder, place.environment());
  }

  trace(): string {
    return this.#place.read(TRACE);
  }
}

/** Starts a server without mcpreel. */
export function startBare(place: Place, server: readonly string[]): Peer {
  return new Peer(server, place.folder, place.environment());
}

/**
 * Lets a client do the same with a server directly and behind mcpreel, and expects the same observations. Returns the
 * trace.
 */
export async function expectSame<Sight>(
  server: readonly string[],
  drive: Drive<Sight>,
  sight: Sight,
  flags: readonly string[] = [],
): Promise<string> {
  const place = new Place();
  const reeled = new Reeled(place, server, flags);
  const [bare, through] = await Promise.all([drive(startBare(place, server)), drive(reeled.peer)]);
  expect(bare, 'over bare pipes').toEqual(sight);
  expect(through, 'through mcpreel').toEqual(sight);
  return reeled.trace();
}
