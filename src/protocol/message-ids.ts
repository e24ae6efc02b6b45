import { skipSpace } from '../json/scan.ts';
import type { JsonText, MessageKind } from '../model/entry.ts';
import { readEnvelope } from './envelope.ts';
import { objectsOf, textsOf } from './rpc-body.ts';

/** The ids of the requests in a message or batch. */
export function requestIdsIn(text: string): JsonText[] {
  return idsIn(text, 'request');
}

/** The ids of the requests that a message or batch answers. */
export function responseIdsIn(text: string): JsonText[] {
  return idsIn(text, 'response');
}

function idsIn(text: string, requested: MessageKind): JsonText[] {
  const body = text.charAt(skipSpace(text, 0)) === '[' ? objectsOf(text) : undefined;
  return (body === undefined ? [text] : textsOf(body)).flatMap((message) => {
    const { kind, id } = readEnvelope(message);
    return kind === requested && id !== undefined ? [id] : [];
  });
}
