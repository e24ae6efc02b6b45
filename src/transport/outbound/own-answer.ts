import type { JsonText } from '../../model/entry.ts';
import { answerText } from '../../protocol/answer-text.ts';
import { requestIdsIn } from '../../protocol/message-ids.ts';
import type { TargetLinkEvents } from './target-link.ts';

/** Why a target gave no answer. */
export interface LinkFailure {
  /** For the user; contains no secrets. */
  readonly reason: string;
  readonly httpStatus?: number | undefined;
  /** Whether the target no longer knows the session id. */
  readonly sessionIsGone?: boolean | undefined;
}

const FAILED = -32000;
const SESSION_GONE = -32001;

/** Builds the error that the client receives in place of a missing answer. */
export function ownAnswer(requestId: JsonText, { reason, httpStatus, sessionIsGone = false }: LinkFailure): JsonText {
  const error = {
    code: sessionIsGone ? SESSION_GONE : FAILED,
    message: `mcpreel: ${reason}`,
    ...(httpStatus !== undefined && { data: { httpStatus } }),
  };
  return answerText(requestId, 'error', JSON.stringify(error));
}

/** Limit of bytes waiting for a target that accepts nothing. Beyond it, requests are refused. */
export const MAX_WAITING_BYTES: number = 64 << 20;

/** Answers every request in a text that cannot be sent with an error. By default, the reason is a full queue. */
export function refuse(text: JsonText, events: TargetLinkEvents, why = 'does not read what was sent before'): void {
  const failure = { reason: `not sent: the target ${why}` };
  for (const id of requestIdsIn(text)) {
    events.onMessage(ownAnswer(id, failure), { requestId: id, isOwn: true });
  }
}
