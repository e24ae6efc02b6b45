import { spliceAt } from '../../json/splice.ts';
import type { JsonText } from '../../model/entry.ts';
import { rpcFramesOf } from '../../protocol/rpc-body.ts';
import type { OutboundRequest } from './outbound.ts';

/**
 * Finds the JSON-RPC answer in an error response. Many servers refuse a request unread, with an error without an id. If
 * there is only one request, the error gets its id.
 */
export function answerIn(body: string, requests: readonly OutboundRequest[]): JsonText | undefined {
  const frame = rpcFramesOf(body);
  if (frame?.kind !== 'message' || frame.peek.kind !== 'response') return undefined;
  const { key } = frame.peek;
  if (key !== undefined) return requests.some((request) => request.key === key) ? frame.text : undefined;
  const [only, ...others] = requests;
  return only === undefined || others.length > 0 ? undefined : spliceAt(frame.text, ['id'], only.id);
}
