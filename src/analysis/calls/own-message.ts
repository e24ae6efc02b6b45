import { inOwnMemory } from '../../json/own-memory.ts';
import type { MessageEntry } from '../../model/entry.ts';

/**
 * A copy of a message that shares no memory with what it was read from: its strings are slices, and each would keep
 * alive the whole text that it was cut from.
 */
export function ownMessage(message: MessageEntry): MessageEntry {
  const { proxyId, text, correlatedId, original, batch, http, sse, keepsakes } = message;
  return {
    ...message,
    proxyId: inOwnMemory(proxyId),
    text: inOwnMemory(text),
    // Whoever asks for them reads them from the text again.
    envelope: undefined,
    body: undefined,
    ...(correlatedId !== undefined && { correlatedId: inOwnMemory(correlatedId) }),
    ...(original !== undefined && { original: inOwnMemory(original) }),
    ...(batch !== undefined && { batch: inOwnMemory(batch) }),
    ...(http !== undefined && { http: inOwnMemory(http) }),
    ...(sse !== undefined && { sse: inOwnMemory(sse) }),
    ...(keepsakes && {
      keepsakes: {
        session: own(keepsakes.session),
        trace: own(keepsakes.trace),
        transcript: own(keepsakes.transcript),
      },
    }),
  };
}

function own(text: string | undefined): string | undefined {
  return text === undefined ? undefined : inOwnMemory(text);
}
