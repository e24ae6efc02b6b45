import { isModern, isModernRevision } from '../../../protocol/era.ts';
import type { Call } from '../../calls/call.ts';
import { CallRetries } from '../../calls/call-retries.ts';
import { resultOf } from '../conversations.ts';
import type { Finder } from '../finder.ts';
import { callText, inline, named } from '../wording.ts';

/** The types of the revision, and that of its extension for tasks. */
const RESULT_TYPES: ReadonlySet<string> = new Set(['complete', 'input_required', 'task']);

/** The maximum number of retries to remember whose call is unknown. */
const MAX_UNLINKED = 1000;

/** Checks the results of revision 2026-07-28, and conversations that mix it with earlier ones. */
export const modernResults: Finder = {
  codes: ['result-type-missing', 'result-type-unknown', 'result-type-conflict', 'input-not-continued', 'mixed-eras'],
  watch(report, { ended }) {
    /** Conversations for which a missing type, or a second era, was reported. */
    const untyped = new Set<number>();
    const mixed = new Set<number>();
    /** How many retries there are that continue one of several equal calls, by what they repeat. */
    const unlinked = new Map<string, number>();
    const waiting: Call[] = [];
    const keyOf = ({ conversation, method }: Call, repeated: string): string =>
      `${conversation} ${JSON.stringify(method)} ${repeated}`;
    const noteRetry = (call: Call): void => {
      const repeated = call.rounds.length === 0 ? CallRetries.repeatedBy(call.request) : undefined;
      if (repeated === undefined) return;
      const key = keyOf(call, repeated);
      const count = unlinked.get(key) ?? 0;
      if (count > 0 || unlinked.size < MAX_UNLINKED) unlinked.set(key, count + 1);
    };
    const judge = (call: Call): void => {
      const result = resultOf(call);
      if (call.answer === undefined || result === undefined) return;
      const sequences = [call.request.sequence, call.answer.sequence];
      const type = result.string('resultType');
      if (!result.has('resultType') && !untyped.has(call.conversation)) {
        untyped.add(call.conversation);
        report(
          'result-type-missing',
          `The server returned a result of ${callText(call)} without resultType. Set it to "complete".`,
          sequences,
        );
      }
      const stated = result.textOf('resultType');
      if (stated !== undefined && !RESULT_TYPES.has(type ?? '')) {
        report(
          'result-type-unknown',
          `The server returned a result of ${callText(call)} with resultType ${inline(stated)}. Set it to "complete" or "input_required".`,
          sequences,
        );
      }
      if ((type ?? 'complete') === 'complete' && result.has('inputRequests')) {
        report(
          'result-type-conflict',
          `The server returned a complete result of ${callText(call)} with inputRequests. Set resultType to "input_required".`,
          sequences,
        );
      }
      const isWaiting = type === 'input_required' && call.status === 'pending' && !call.answer.dropped;
      if (isWaiting && ended) waiting.push(call);
    };
    return {
      message({ entry, envelope, revision, conversation, isFromClient }) {
        const isShared = entry.http !== undefined && conversation.number === 0;
        if (!isFromClient || envelope.kind !== 'request' || isShared || mixed.has(conversation.number)) return;
        const { method = '' } = envelope;
        const isNew = revision !== undefined && isModernRevision(revision);
        // A client of both eras asks which one a server speaks before it decides.
        const isSecond = isNew
          ? conversation.handshake === 'answered' && method !== 'server/discover'
          : method === 'initialize' && conversation.hasModern && !conversation.hasOnlyProbed;
        if (!isSecond) return;
        mixed.add(conversation.number);
        const what = isNew
          ? `${named(method)} of protocol version ${named(revision ?? '')} after a handshake`
          : 'initialize after requests of a protocol version without a handshake';
        report('mixed-eras', `The client sent ${what}. Use one protocol version per conversation.`, [entry.sequence]);
      },
      call(call) {
        if (call.direction === 'client_to_server' && isModern(call.request.text)) {
          noteRetry(call);
          judge(call);
        }
      },
      end() {
        for (const call of waiting) {
          const key = keyOf(call, CallRetries.repeatableIn(call.rounds.at(-1)?.retry ?? call.request));
          const count = unlinked.get(key) ?? 0;
          if (count > 0) unlinked.set(key, count - 1);
          else {
            const sequences = [call.request.sequence, ...(call.answer === undefined ? [] : [call.answer.sequence])];
            report(
              'input-not-continued',
              `${callText(call)} is waiting for input: the client never sent the request again. Send it with inputResponses.`,
              sequences,
            );
          }
        }
      },
    };
  },
};
