import type { MessageEntry } from '../../../model/entry.ts';
import { idKey } from '../../../protocol/envelope.ts';
import { type MessageScope, type RequestKey, RequestTable, requestPlace } from '../../../protocol/request-table.ts';
import { exchangeIn } from '../../calls/call-reply.ts';
import type { Finder } from '../finder.ts';
import type { FindingMessage } from '../seen-message.ts';
import { type IdBudget, UsedIds } from '../used-ids.ts';
import { senderOf } from '../wording.ts';

/** The maximum number of ids that are stored individually; later ids are not checked. */
const MAX_IDS = 200_000;

/**
 * Finds reused request ids. With a handshake an id must never be reused; since 2026-07-28 it only must differ from
 * those of open requests. Ids cannot be attributed to a client over HTTP in that revision, nor on a server without
 * sessions, so they are not checked there.
 */
export const requestIds: Finder = {
  codes: ['duplicate-id'],
  watch(report) {
    const allowance: IdBudget = { left: MAX_IDS };
    const used = new Map<string, UsedIds>();
    const open = new RequestTable<true>(MAX_IDS);
    /** Ids that an HTTP exchange used again while an earlier one may still turn out to be refused. */
    let repeated: RepeatedId[] = [];
    const tell = ({ entry, id }: RepeatedId): void =>
      report(
        'duplicate-id',
        `${senderOf(entry)} used the request id ${short(id)} twice. Use a new id for each request.`,
        [entry.sequence],
      );
    return {
      message(message) {
        const { entry, envelope, isFromClient } = message;
        if (envelope.id === undefined) return;
        const key = idKey(envelope.id);
        if (envelope.kind === 'response') open.answer(entry, key);
        if (envelope.kind !== 'request') return;
        if (isAnyones(message)) return;
        const side = sideOf(entry.conversation, isFromClient);
        const isNew = isOfNewEra(message) ? opens(entry, key, open) : uses(side, key, used, allowance);
        if (isNew) return;
        const repetition = { entry, id: envelope.id, key, side, exchange: exchangeIn(entry.http) };
        if (repetition.exchange === undefined || repeated.length >= MAX_REPEATED) tell(repetition);
        else repeated.push(repetition);
      },
      exchange({ number, conversation, posted, isAnswered, status }) {
        // A client resends a refused request unchanged, for example with a token.
        const isRefused = status === undefined ? !isAnswered : status >= 400;
        if (!isRefused) return;
        const side = sideOf(conversation, true);
        for (const { key } of posted) {
          if (key === undefined) continue;
          // The client may repeat the request as soon as it has the status, before the response has ended.
          const isRepetition = (one: RepeatedId): boolean =>
            one.key === key && one.side === side && one.exchange !== undefined && one.exchange > number;
          const at = repeated.findIndex(isRepetition);
          if (at < 0) used.get(side)?.forget(key);
          else repeated = repeated.toSpliced(at, 1);
        }
      },
      end() {
        for (const repetition of repeated) tell(repetition);
      },
    };
  },
};

/** The maximum number of repeated ids to remember until the end of the session. Further ones are reported at once. */
const MAX_REPEATED = 1000;

interface RepeatedId {
  readonly entry: MessageEntry;
  readonly id: string;
  readonly key: RequestKey;
  readonly side: string;
  readonly exchange: number | undefined;
}

function uses(side: string, key: string | number, used: Map<string, UsedIds>, allowance: IdBudget): boolean {
  const ids = used.get(side) ?? new UsedIds(allowance);
  used.set(side, ids);
  return ids.add(key);
}

function opens(request: MessageScope, key: RequestKey, open: RequestTable<true>): boolean {
  if (open.has(requestPlace(request.direction, request.conversation, key))) return false;
  open.add(true, request, key);
  return true;
}

function isAnyones(message: FindingMessage): boolean {
  return message.entry.http !== undefined && (message.conversation.number === 0 || isOfNewEra(message));
}

function sideOf(conversation: number | undefined, isClients: boolean): string {
  return `${isClients ? 'client' : 'server'} ${conversation ?? 0}`;
}

function isOfNewEra({ revision, conversation }: FindingMessage): boolean {
  return revision !== undefined || (conversation.hasModern && conversation.handshake === 'none');
}

function short(id: string): string {
  return id.length > 80 ? `${id.slice(0, 80)}…` : id;
}
