import { expect } from 'vitest';
import type { NotedExchange } from '../support/noting-fetch.ts';
import { eventsOf, type Json, type RecordedMessage } from '../support/recordings.ts';

/** The recorded data of an HTTP exchange, without its messages. */
export interface RecordedHttp {
  readonly exchange: number;
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
  readonly requestHeaders: readonly (readonly [string, string])[];
  readonly responseHeaders: readonly (readonly [string, string])[];
  readonly bytes: { readonly in: number; readonly out: number };
  readonly error: string | null;
}

export interface RecordedRun {
  readonly messages: readonly RecordedMessage[];
  readonly events: readonly Json[];
}

export function exchangesOf(trace: RecordedRun): RecordedHttp[] {
  return eventsOf(trace, 'http.exchange') as RecordedHttp[];
}

export function header(pairs: RecordedHttp['requestHeaders'], name: string): string | undefined {
  return pairs.find(([given]) => given.toLowerCase() === name)?.[1];
}

/** Expects one entry for each exchange of a client, and every message to name its exchange. */
export function expectExchanges(trace: RecordedRun, noted: readonly NotedExchange[]): void {
  const recorded = exchangesOf(trace);
  expect(recorded.map(summary).sort()).toEqual(noted.map(notedSummary).sort());
  expect(new Set(recorded.map(({ exchange }) => exchange)).size).toBe(recorded.length);
  for (const { direction, exchange, sse } of trace.messages) {
    const of = recorded.find((candidate) => candidate.exchange === exchange);
    const isStream = header(of?.responseHeaders ?? [], 'content-type')?.startsWith('text/event-stream');
    if (direction === 'in') expect(of?.method).toBe('POST');
    expect(sse !== undefined).toBe(direction === 'out' && isStream);
  }
  expect(trace.messages.flatMap(({ sse, payload }) => (sse === undefined ? [] : [said(sse, payload)])).sort()).toEqual(
    noted.flatMap(eventsIn).sort(),
  );
}

function summary({ method, status, bytes, responseHeaders }: RecordedHttp): string {
  return [method, status, bytes.in, header(responseHeaders, 'content-type')].join(' ');
}

function notedSummary({ method, status, sent, responseHeaders }: NotedExchange): string {
  return [method, status, sent, responseHeaders.get('content-type') ?? undefined].join(' ');
}

/** The messages in the events of a stream, with event names and ids. */
function eventsIn({ body, responseHeaders }: NotedExchange): string[] {
  if (!responseHeaders.get('content-type')?.startsWith('text/event-stream')) return [];
  return body.split(/\r?\n\r?\n/).flatMap((text) => {
    const field = (name: string): string | undefined => new RegExp(`(?:^|\\n)${name}: ?([^\\r\\n]*)`).exec(text)?.[1];
    const data = field('data') ?? '';
    if (!data.startsWith('{')) return [];
    const id = field('id');
    return [said({ event: field('event') ?? 'message', ...(id !== undefined && { id }) }, JSON.parse(data) as Json)];
  });
}

function said(sse: Json, payload: Json): string {
  return JSON.stringify([sse, payload]);
}
