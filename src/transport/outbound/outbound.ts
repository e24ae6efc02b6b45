import type { JsonText } from '../../model/entry.ts';
import { idKey, readEnvelope } from '../../protocol/envelope.ts';
import { isModern } from '../../protocol/era.ts';
import { objectsOf } from '../../protocol/rpc-body.ts';

/** A request that is waiting for its answer. */
export interface OutboundRequest {
  /** The exact text of its id. */
  readonly id: JsonText;
  readonly key: string | number;
  readonly method: string;
}

/** A message or batch that is sent to the target. */
export interface OutboundMessage {
  readonly text: JsonText;
  /** The requests that the server must answer. */
  readonly requests: readonly OutboundRequest[];
  readonly methods: readonly string[];
  /** Whether it follows revision 2026-07-28 or later. */
  readonly isModern: boolean;
}

/** Parses a text that is to be sent. */
export function outboundOf(text: JsonText): OutboundMessage {
  const body = objectsOf(text);
  const envelopes = (body?.kind === 'batch' ? body.texts : [text]).map(readEnvelope);
  const requests: OutboundRequest[] = [];
  const methods: string[] = [];
  for (const { kind, id, method } of envelopes) {
    if (method !== undefined) methods.push(method);
    if (kind === 'request' && id !== undefined && method !== undefined) requests.push({ id, key: idKey(id), method });
  }
  return { text, requests, methods, isModern: isModern(text) };
}
