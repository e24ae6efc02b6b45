import type { JsonText, MessageKind } from '../model/entry.ts';
import { readEnvelope } from '../protocol/envelope.ts';
import { objectsOf, type RpcBody } from '../protocol/rpc-body.ts';
import type { Judged } from './bridge-options.ts';
import type { JudgedFrame } from './holding.ts';
import { isUnchanged, keptTexts, sentText } from './judged-frame.ts';

/** What is sent in place of messages that came as one: a text, or one for each of them where they go apart. */
export function sentFor(frame: JudgedFrame, whole: JsonText, goesApart: boolean): readonly string[] {
  const goesWhole = !(frame.isBatch && goesApart);
  if (isUnchanged(frame) && goesWhole) return [whole];
  if (!goesWhole) return keptTexts(frame);
  const text = sentText(frame);
  return text === undefined ? [] : [text];
}

/** Messages that nobody was asked about. */
export function unjudged(body: RpcBody, atMs: number): Judged {
  const messages = textsOf(body).map((text) => ({ text, decision: { action: 'forward' } as const }));
  return { isBatch: body.kind === 'batch', messages, atMs };
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
