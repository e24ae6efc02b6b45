import { expect } from 'vitest';
import { type HttpProxy, startProxy } from '../support/http-proxy.ts';
import { Place } from '../support/place.ts';
import { type Json, jsonLines } from '../support/recordings.ts';
import type { Connect, Connected } from '../support/sdk-clients.ts';
import type { Tap } from '../support/tap.ts';
import type { Target, Transport } from './targets.ts';

/** A message line of a trace, with the fields that identify its conversation. */
interface Line {
  readonly id: string;
  readonly dir: 'in' | 'out';
  readonly corr?: string;
  readonly conv?: number;
  readonly http?: { readonly exchange: number };
  readonly dropped?: true;
  readonly raw: Json;
}

export interface Recorded {
  readonly messages: readonly Line[];
  readonly events: readonly Json[];
  readonly end: Json | undefined;
}

/** Runs mcpreel between clients of one transport and a server of another. */
export class Run {
  readonly place: Place = new Place();
  readonly #listen: Transport;
  readonly #flags: readonly string[];
  #proxy: Promise<HttpProxy> | undefined;

  constructor(listen: Transport, { flags }: Target) {
    this.#listen = listen;
    this.#flags = ['--listen-transport', listen, ...flags];
  }

  /** Connects a client. Each stdio client starts its own mcpreel; the others share one. */
  async connect(connect: Connect): Promise<Connected> {
    if (this.#listen === 'stdio') {
      const args = ['proxy', 'start', '--trace-file', 'trace.jsonl', ...this.#flags];
      return connect({ place: this.place, args });
    }
    const { url } = await this.proxy();
    return connect({ url, transport: this.#listen });
  }

  proxy(): Promise<HttpProxy> {
    this.#proxy ??= startProxy(this.place, this.#flags);
    return this.#proxy;
  }

  /** Stops mcpreel after all clients have disconnected, and returns the recording. */
  async finish(): Promise<Recorded> {
    if (this.#proxy !== undefined) {
      const { outcome } = await (await this.#proxy).stop();
      expect(outcome.code).toBe(0);
    }
    // A client that first asks which revisions the server supports starts the server a second time for its session.
    const [trace = ''] = this.place.files().filter((name) => name === 'trace-2.jsonl' || name === 'trace.jsonl');
    const lines = jsonLines(this.place.read(trace));
    return {
      messages: lines.filter(({ type }) => type === undefined) as unknown as Line[],
      events: lines.filter(({ type }) => type === 'event'),
      end: lines.find(({ type }) => type === 'end'),
    };
  }
}

/**
 * Expects a recording to hold the messages of these clients, each client in its own conversation, and each response
 * with its request. The order is not checked, because messages over HTTP may overtake each other.
 */
export function expectConversations({ messages, end }: Recorded, taps: readonly Tap[]): void {
  const conversations = new Map<number, Line[]>();
  // Messages that arrived too late were not delivered.
  const reported = messages.filter(({ dropped }) => !dropped);
  for (const line of reported) conversations.set(line.conv ?? 0, [...(conversations.get(line.conv ?? 0) ?? []), line]);
  const recorded = [...conversations.values()].map((lines) => ({
    sent: spelled(lines.filter(({ dir }) => dir === 'in').map(({ raw }) => raw)),
    received: spelled(lines.filter((line) => line.dir === 'out' && !isDiscovery(line)).map(({ raw }) => raw)),
  }));
  const noted = taps.map(({ sent, received }) => ({ sent: spelled(sent), received: spelled(received) }));
  expect(inOrder(recorded)).toEqual(inOrder(noted));
  expectPairs(reported);
  expect(end).toMatchObject({ exitCode: 0 });
}

/** Expects every response, and nothing else, to be recorded with the request it answers. */
export function expectPairs(messages: readonly Line[]): void {
  const responses = messages.filter(isResponse);
  expect(responses.map(({ corr }) => corr)).toEqual(responses.map((response) => requestOf(response, messages)?.id));
  expect(responses.map(({ corr }) => corr)).not.toContain(undefined);
  expect(messages.filter((message) => !isResponse(message) && message.corr !== undefined)).toEqual([]);
  expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
}

/** Whether a message was received before a tap could be attached. */
function isDiscovery({ raw }: Line): boolean {
  return raw.id === 'server-discover-probe-1';
}

function isResponse({ raw }: Line): boolean {
  return !('method' in raw);
}

/**
 * Finds the request of a response without mcpreel's code: in its exchange if that holds one, else in its conversation.
 */
function requestOf(response: Line, messages: readonly Line[]): Line | undefined {
  const candidates = messages.filter(
    (message) =>
      !isResponse(message) &&
      message.dir !== response.dir &&
      message.conv === response.conv &&
      // An error without an id belongs to the only request.
      message.raw.id === (response.raw.id ?? message.raw.id),
  );
  return candidates.find(({ http }) => http?.exchange === response.http?.exchange) ?? candidates[0];
}

function inOrder(conversations: readonly { sent: string[]; received: string[] }[]): unknown[] {
  return conversations.toSorted((a, b) => (String(a.sent) < String(b.sent) ? -1 : 1));
}

function spelled(messages: readonly unknown[]): string[] {
  return messages.map((message) => JSON.stringify(withSortedKeys(message))).toSorted();
}

function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, withSortedKeys(member)]));
}
