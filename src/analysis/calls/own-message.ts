import { inOwnMemory } from '../../json/own-memory.ts';
import type { MessageEntry } from '../../model/entry.ts';

/**
 * Copies a message so that it shares no memory with its source. Its strings are slices, and each slice would keep the
 * whole source text alive.
 */
export function ownMessage(message: MessageEntry): MessageEntry {
  const { proxyId, text, correlatedId, original, batch, http, sse, keepsakes } = message;
  return {
    ...message,
    proxyId: inOwnMemory(proxyId),
    text: inOwnMemory(text),
    // Callers read them from the text again.
    envelope: undefined,
    body: undefined,
    ...(correlatedId !== undefined && { correlatedId: inOwnMemory(correlatedId) }),
    ...(original !== undefined && { original: inOwnMemory(original) }),
    ...(batch !== undefined && { batch: inOwnMemory(batch) }),
    ...(http !== undefined && { http: inOwnMemory(http) }),
    ...(sse !== undefined && { sse: inOwnMemory(sse) }),
    ...(keepsakes && {
      keepsakes: {
        session: inOwnMemory(keepsakes.session),
        trace: inOwnMemory(keepsakes.trace),
        transcript: inOwnMemory(keepsakes.transcript),
      },
    }),
  };
}
