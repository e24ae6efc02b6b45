import type { JsonText } from '../model/entry.ts';

/** Builds the text of JSON-RPC responses. */

/** mcpreel's own error code, from the range that JSON-RPC reserves for servers. */
const REFUSED = -32000;

/** The text of a response with this result or error. */
export function answerText(id: JsonText, key: 'result' | 'error', value: JsonText): JsonText {
  return `{"jsonrpc":"2.0","id":${id},"${key}":${value}}`;
}

/** The error response that the sender of a request receives from mcpreel. */
export function errorAnswer(id: JsonText, reason: string): JsonText {
  return answerText(id, 'error', JSON.stringify({ code: REFUSED, message: `mcpreel: ${reason}` }));
}
