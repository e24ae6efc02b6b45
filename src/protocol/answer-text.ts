import type { JsonText } from '../model/entry.ts';

/** A code of our own, from the range that JSON-RPC leaves to servers. */
const REFUSED = -32000;

/** A response that holds this result, or this error. */
export function answerText(id: JsonText, key: 'result' | 'error', value: JsonText): JsonText {
  return `{"jsonrpc":"2.0","id":${id},"${key}":${value}}`;
}

/** What whoever asked is told in place of an answer. */
export function errorAnswer(id: JsonText, reason: string): JsonText {
  return answerText(id, 'error', JSON.stringify({ code: REFUSED, message: `mcpreel: ${reason}` }));
}
