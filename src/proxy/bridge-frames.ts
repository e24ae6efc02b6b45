import type { JsonText, MessageKind } from '../model/entry.ts';
import { readEnvelope } from '../protocol/envelope.ts';
import { objectsOf, type RpcBody } from '../protocol/rpc-body.ts';
import type { Judged } from './bridge-options.ts';
import type { JudgedFrame } from './holding.ts';

/** What is sent in place of messages that came as one: a text, or one for each of them where they go apart. */
export function sentFor({ isBatch, messages }: JudgedFrame, whole: JsonText, goesApart: boolean): readonly string[] {
  const isUntouched = messages.every(({ decision }) => decision.action === 'forward');
  if (isUntouched && !(isBatch && goesApart)) return [whole];
  const kept = messages.flatMap(({ text, decision }) => {
    if (decision.action === 'forward') return [text];
    return decision.action === 'edit' ? [decision.text] : [];
  });
  return isBatch && !goesApart && kept.length > 0 ? [`[${kept.join(',')}]`] : kept;
}

/** Messages that nobody was asked about. */
export function unjudged(body: RpcBody, atMs: number): Judged {
  const messages = textsOf(body).map((text) => ({ text, decision: { action: 'forward' } as const }));
  return { isBatch: body.kind === 'batch', messages, atMs };
}

/** The same messages, of which none went on. */
export function stopped(judged: Judged): Judged {
  const messages = judged.messages.map((message) => ({ ...message, decision: { action: 'drop' } as const }));
  return { ...judged, messages };
}

/** What is said to those whose messages went no further. */
export function answersIn({ messages }: Judged): JsonText[] {
  return messages.flatMap(({ decision }) => (decision.action === 'answer' ? [decision.text] : []));
}

/** The messages that came as one. */
export function textsOf(body: RpcBody): readonly JsonText[] {
  return body.kind === 'batch' ? body.texts : [body.text];
}

/** The ids of the requests in a message or a batch. */
export function requestIdsIn(text: string): JsonText[] {
  return idsIn(text, 'request');
}

/** The ids of the requests that a message or a batch answers. */
export function responseIdsIn(text: string): JsonText[] {
  return idsIn(text, 'response');
}

function idsIn(text: string, wanted: MessageKind): JsonText[] {
  const body = text.startsWith('[') ? objectsOf(text) : undefined;
  return (body === undefined ? [text] : textsOf(body)).flatMap((message) => {
    const { kind, id } = readEnvelope(message);
    return kind === wanted && id !== undefined ? [id] : [];
  });
}
