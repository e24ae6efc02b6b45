import type { MessageEntry } from '../model/entry.ts';

/**
 * A copy of a message that shares no memory with what it was read from: its strings are slices, and each would keep
 * alive the whole text that it was cut from.
 */
export function ownMessage(message: MessageEntry): MessageEntry {
  const { proxyId, text, envelope, correlatedId, original, batch, http, sse, keepsakes } = message;
  return {
    ...message,
    proxyId: inOwnMemory(proxyId),
    text: inOwnMemory(text),
    ...(envelope && { envelope: { kind: envelope.kind, id: own(envelope.id), method: own(envelope.method) } }),
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

export function inOwnMemory(text: string): string {
  return ` ${text}`.slice(1);
}

function own(text: string | undefined): string | undefined {
  return text === undefined ? undefined : inOwnMemory(text);
}
