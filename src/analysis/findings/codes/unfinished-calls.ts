import { CLIENT_LEFT, SESSION_ENDED } from '../../../model/exchange-ends.ts';
import type { Call } from '../../calls/call.ts';
import { exchangeIn } from '../../calls/call-reply.ts';
import type { EndedExchange } from '../facts.ts';
import type { Finder } from '../finder.ts';
import { callText, responderOf } from '../wording.ts';

/** The maximum number of failed exchanges to remember. Beyond it, calls over HTTP are not reported as open. */
const MAX_FAILED = 100_000;

/** Finds calls that were not answered, or too late. */
export const unfinishedCalls: Finder = {
  codes: ['hung-call', 'open-call', 'late-result'],
  watch(report, { ended }) {
    /** Exchanges that ended without a response for a reason other than a silent server. */
    const failed = new Set<number>();
    let lastGapMs = Number.NEGATIVE_INFINITY;
    const isUnanswered = ({ status, isProbe, request, answer }: Call): boolean => {
      // A call whose last response asked for input, and which was never retried, does have a response.
      if (status !== 'pending' || answer !== undefined || isProbe) return false;
      if (request.injected || request.dropped) return false;
      // The response may be in the gap.
      if (request.atMs <= lastGapMs) return false;
      const exchange = exchangeIn(request.http);
      return exchange === undefined || (!failed.has(exchange) && failed.size < MAX_FAILED);
    };
    return {
      event({ event, atMs }) {
        if (event === 'mcpreel.gap') lastGapMs = Math.max(lastGapMs, atMs);
      },
      exchange(exchange) {
        const { number, posted } = exchange;
        if (hasFailed(exchange) && posted.length > 0 && failed.size < MAX_FAILED) failed.add(number);
      },
      call(call) {
        if (isUnanswered(call)) {
          const waiting = call.rounds.length > 0 ? call.rounds.at(-1)?.retry : undefined;
          const sequences = waiting === undefined ? [call.request.sequence] : [call.request.sequence, waiting.sequence];
          if (ended)
            report('hung-call', `${responderOf(call)} never responded to ${callText(call)}. Check its log.`, sequences);
          else
            report(
              'open-call',
              `${responderOf(call)} had not responded to ${callText(call)} when the recording ended.`,
              sequences,
            );
        }
        if (call.status === 'late' && call.answer !== undefined) {
          const { request, cancelledBy, answer } = call;
          const sequences = [request.sequence, ...(cancelledBy === undefined ? [] : [cancelledBy]), answer.sequence];
          report(
            'late-result',
            `${responderOf(call)} responded to ${callText(call)} after it was cancelled. Stop working on cancelled requests.`,
            sequences,
          );
        }
      },
    };
  },
};

/** Returns whether an exchange ended for a reason other than a silent server. */
function hasFailed({ status, error, posted }: EndedExchange): boolean {
  if (status !== undefined && status >= 400) return true;
  // The client still waited when the session ended.
  if (error === SESSION_ENDED) return false;
  // A client that leaves cancels its requests, except `initialize`, which it cannot cancel: it gave up waiting.
  if (error === CLIENT_LEFT) return posted.every(({ method }) => method !== 'initialize');
  return error !== undefined;
}
