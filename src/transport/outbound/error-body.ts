import { spliceAt } from '../../json/splice.ts';
import type { JsonText } from '../../model/entry.ts';
import { rpcFramesOf } from '../../protocol/rpc-body.ts';
import type { OutboundRequest } from './outbound.ts';

/**
 * The answer that a body holds for one of these requests. Many servers answer with an error that names no request, because
 * they refused it unread: where only one can be meant it gets that one's id.
 */
export function answerIn(body: string, requests: readonly OutboundRequest[]): JsonText | undefined {
  const frame = rpcFramesOf(body);
  if (frame?.kind !== 'message' || frame.peek.kind !== 'response') return undefined;
  const { key } = frame.peek;
  if (key !== undefined) return requests.some((request) => request.key === key) ? frame.text : undefined;
  const [only, ...others] = requests;
  return only === undefined || others.length > 0 ? undefined : spliceAt(frame.text, ['id'], only.id);
}
