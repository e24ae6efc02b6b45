import { expect } from 'vitest';
import type { RecordedMessage } from './recordings.ts';
import type { Tap } from './tap.ts';

/** Expects a recording to hold what a client itself sent and received, in order, each answer with its request. */
export function expectConversation(messages: readonly RecordedMessage[], noted: Tap): void {
  expect(payloads(messages, 'in')).toEqual(noted.sent);
  expect(payloads(messages, 'out')).toEqual(noted.received);
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

/** The request that a response answers, found without mcpreel: SDKs use an id once per direction. */
function requestOf(response: RecordedMessage, messages: readonly RecordedMessage[]): RecordedMessage | undefined {
  return messages.find(
    (message) =>
      !isResponse(message) &&
      message.direction !== response.direction &&
      'id' in message.payload &&
      message.payload.id === response.payload.id,
  );
}
