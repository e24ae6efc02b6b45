import type { JsonText } from '../../model/entry.ts';
import { answerText } from '../../protocol/answer-text.ts';
import { requestIdsIn } from '../../protocol/message-ids.ts';
import type { TargetLinkEvents } from './target-link.ts';

/** Why a target gave no answer. */
export interface LinkFailure {
  /** For the person who reads it, and without anything secret. */
  readonly reason: string;
  readonly httpStatus?: number | undefined;
  /** Whether the target no longer knows the session that we named. */
  readonly sessionIsGone?: boolean | undefined;
}

const FAILED = -32000;
const SESSION_GONE = -32001;

/** What a client is told in place of the answer that will not come. */
export function ownAnswer(requestId: JsonText, { reason, httpStatus, sessionIsGone = false }: LinkFailure): JsonText {
  const error = {
    code: sessionIsGone ? SESSION_GONE : FAILED,
    message: `mcpreel: ${reason}`,
    ...(httpStatus !== undefined && { data: { httpStatus } }),
  };
  return answerText(requestId, 'error', JSON.stringify(error));
}

/** So much may wait for a target that takes nothing; then it is said that it does not. */
export const MAX_WAITING_BYTES: number = 64 << 20;

/** Answers every request in a text that cannot be sent, because too much is waiting if nothing else is said. */
export function refuse(text: JsonText, events: TargetLinkEvents, why = 'does not take what was sent before'): void {
  const failure = { reason: `not sent: the target ${why}` };
  for (const id of requestIdsIn(text)) {
    events.onMessage(ownAnswer(id, failure), { requestId: id, isOwn: true });
  }
}
