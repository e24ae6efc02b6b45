import type { Finder } from '../finder.ts';
import { callText, quoted } from '../wording.ts';

/** The number of cancellations to remember until their calls end. */
const MAX_REMEMBERED = 10_000;

/** The reason that clients give for a request that took too long. */
const TIMEOUT = /\btim(?:e|ed)[ -]?out\b|-32001/i;

/** Finds calls that were cancelled because they took too long. */
export const timeouts: Finder = {
  codes: ['call-timed-out'],
  watch(report) {
    const reasons = new Map<number, string>();
    return {
      message({ entry, envelope, body }) {
        if (envelope.method !== 'notifications/cancelled') return;
        const reason = body?.string('reason');
        if (reason === undefined || !TIMEOUT.test(reason) || reasons.size >= MAX_REMEMBERED) return;
        reasons.set(entry.sequence, quoted(reason));
      },
      call(call) {
        const { cancelledBy, request } = call;
        const reason = cancelledBy === undefined ? undefined : reasons.get(cancelledBy);
        if (cancelledBy === undefined || reason === undefined) return;
        reasons.delete(cancelledBy);
        report(
          'call-timed-out',
          `${callText(call)} was cancelled because it took too long: ${reason}. Raise the client’s timeout, or send progress.`,
          [request.sequence, cancelledBy],
        );
      },
    };
  },
};
