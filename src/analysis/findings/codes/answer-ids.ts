import { ObjectView } from '../../../json/object-view.ts';
import type { MessageEntry } from '../../../model/entry.ts';
import { envelopeOf } from '../../../protocol/envelope.ts';
import type { Finder } from '../finder.ts';
import { senderOf } from '../wording.ts';

/** Finds responses without a matching request. */
export const answerIds: Finder = {
  codes: ['unknown-id', 'answered-twice', 'response-without-request'],
  watch(report) {
    let hasGaps = false;
    return {
      event({ event }) {
        hasGaps ||= event === 'mcpreel.gap';
      },
      orphan({ message, why }) {
        const sender = senderOf(message);
        const id = envelopeOf(message).id?.slice(0, 80) ?? '';
        if (why === 'answered-before') {
          report(
            'answered-twice',
            `${sender} sent a second response to the request with id ${id}. Send one response per request.`,
            [message.sequence],
          );
        } else if (why === 'no-id') {
          if (isRefusal(message)) return;
          report('response-without-request', `${sender} sent a response without an id. Use the id of the request.`, [
            message.sequence,
          ]);
        } else if (!hasGaps) {
          // The matching request may be in the gap.
          report(
            'unknown-id',
            `${sender} sent a response with id ${id}, but no open request has this id. Use the id of the request.`,
            [message.sequence],
          );
        }
      },
    };
  },
};

/** Over HTTP a server may reject a whole body with an error without an id. */
function isRefusal({ http, text }: MessageEntry): boolean {
  return http !== undefined && ObjectView.of(text)?.has('error') === true;
}
