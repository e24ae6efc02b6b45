import { expect } from 'vitest';
import type { RecordedMessage } from './recordings.ts';
import type { Tap } from './tap.ts';

/**
 * Expects a recording to hold the messages that a client sent and received, in order, each response with its request.
 */
export function expectConversation(messages: readonly RecordedMessage[], noted: Tap): void {
  expect(payloads(messages, 'in')).toEqual(noted.sent);
  expect(payloads(messages, 'out')).toEqual(noted.received);
  expectCorrelation(messages);
}

/**
 * The same over HTTP, where both ends may see exchanges in different orders. The recording holds exactly the client's
 * messages, each request in its own exchange, and the messages of an exchange in the order of their arrival.
 */
export function expectHttpConversation(
  messages: readonly RecordedMessage[],
  noted: Pick<Tap, 'sent' | 'received'>,
): void {
  const received = noted.received.map(canonical);
  expect(payloads(messages, 'in').map(canonical).sort()).toEqual(noted.sent.map(canonical).sort());
  expect(payloads(messages, 'out').map(canonical).sort()).toEqual([...received].sort());
  const exchangesOfClient = messages.filter(({ direction }) => direction === 'in').map(({ exchange }) => exchange);
  expect(new Set(exchangesOfClient).size).toBe(exchangesOfClient.length);
  for (const exchange of new Set(messages.map((message) => message.exchange))) {
    const inExchange = messages.filter((message) => message.exchange === exchange);
    expect(received).toSatisfy((all: string[]) => isInOrder(payloads(inExchange, 'out').map(canonical), all));
  }
  expectCorrelation(messages);
}

/** Expects the first response to a request to name it, and no other message to name a request. */
export function expectCorrelation(messages: readonly RecordedMessage[]): void {
  const responses = messages.filter(isResponse);
  expect(responses.map(({ answers }) => answers)).toEqual(
    responses.map((response) => requestOf(response, messages)?.id),
  );
  expect(responses.map(({ answers }) => answers)).not.toContain(undefined);
  expect(messages.filter((message) => !isResponse(message) && message.answers !== undefined)).toEqual([]);
  expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
}

export function isResponse({ payload }: RecordedMessage): boolean {
  return !('method' in payload);
}

function payloads(messages: readonly RecordedMessage[], direction: 'in' | 'out'): unknown[] {
  return messages.filter((message) => message.direction === direction).map(({ payload }) => payload);
}

/** Equal for equal values in any member order: SDKs put known members first. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    member !== null && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

function isInOrder(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0;
  return part.every((text) => {
    at = whole.indexOf(text, at) + 1;
    return at > 0;
  });
}

/** Finds the request of a response without mcpreel's code: SDKs use an id once per direction. */
function requestOf(response: RecordedMessage, messages: readonly RecordedMessage[]): RecordedMessage | undefined {
  return messages.find(
    (message) =>
      !isResponse(message) &&
      message.direction !== response.direction &&
      'id' in message.payload &&
      message.payload.id === response.payload.id,
  );
}
