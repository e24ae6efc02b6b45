import { expect } from 'vitest';
import type { McpreelProcess, Outcome } from '../support/mcpreel-process.ts';
import type { Place } from '../support/place.ts';
import type { Connect, Connected, Offer } from '../support/sdk-clients.ts';
import type { HttpTransport } from '../support/sdk-transports.ts';
import type { Tap } from '../support/tap.ts';

export type Listen = 'stdio' | HttpTransport;

/** The requests of a client, independent of the server. */
export type Talk = (connected: Connected) => Promise<void>;

/** Records a client and a real server as `session.json`; returns the messages that the client saw. */
export async function record(
  place: Place,
  connect: Connect,
  server: readonly string[],
  talk: Talk,
  more: Partial<Offer> & { readonly flags?: readonly string[] } = {},
): Promise<Tap> {
  const { flags = [], ...offer } = more;
  const args = ['--session-file', 'session.json', '--redact', 'off', ...flags, '--', ...server];
  const connected = await connect({ ...offer, place, args });
  await talk(connected);
  await connected.leave();
  return connected.noted;
}

export interface ListeningMock {
  readonly url: string;
  readonly process: McpreelProcess;
  stop(): Promise<Outcome>;
}

/** Serves `session.json` over HTTP. */
export async function startMock(
  place: Place,
  transport: HttpTransport,
  flags: readonly string[] = [],
): Promise<ListeningMock> {
  const listening = ['--listen-transport', transport, '--listen-port', '0'];
  const process = place.start(['mock', 'session.json', ...listening, ...flags]);
  const [, url = ''] = await process.noted(/^mcpreel: Listening on (\S+), serving session.json$/m);
  return {
    url,
    process,
    stop() {
      process.signal('SIGINT');
      return process.ended;
    },
  };
}

/**
 * Connects a client to the mock of `session.json`, and returns the messages that it saw. The mock must answer every
 * request.
 */
export async function talkToMock(
  place: Place,
  connect: Connect,
  listen: Listen,
  talk: Talk,
  more: Partial<Offer> & { readonly flags?: readonly string[] } = {},
): Promise<Tap> {
  const { flags = [], ...offer } = more;
  if (listen === 'stdio') {
    const connected = await connect({ ...offer, place, args: ['mock', 'session.json', ...flags] });
    await talk(connected);
    await connected.leave();
    return connected.noted;
  }
  const mock = await startMock(place, listen, flags);
  const connected = await connect({ ...offer, url: mock.url, transport: listen });
  await talk(connected);
  await connected.leave();
  expect(await mock.stop()).toMatchObject({ code: 0, stdout: '' });
  return connected.noted;
}

/** The received messages in a normalized order: only messages of one request have a fixed order. */
export function receivedBy({ received }: Tap): string[] {
  return received.map((message) => JSON.stringify(withSortedKeys(message))).toSorted();
}

function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, withSortedKeys(member)]));
}
