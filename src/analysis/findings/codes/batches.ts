import { ObjectView } from '../../../json/object-view.ts';
import type { Finder } from '../finder.ts';
import { named, senderOf } from '../wording.ts';

/** The only revision with batches. */
const WITH_BATCHES = '2025-03-26';

/** Finds batches in revisions that do not allow them. Each batch is reported once, with its first message. */
export const batches: Finder = {
  codes: ['batch-not-allowed'],
  watch(report) {
    let last: string | undefined;
    return {
      message({ entry, conversation, revision }) {
        if (entry.batch === undefined) return;
        const spoken = revision ?? conversation.agreedRevision;
        if (spoken === undefined || spoken === WITH_BATCHES) return;
        const batch = ObjectView.of(entry.batch);
        // The first members need not be messages.
        const frame = batch?.textOf('frame');
        if (batch === undefined || (frame === last && batch.number('index') !== 0)) return;
        last = frame;
        const size = batch.number('of') ?? 0;
        const message = `${senderOf(entry)} sent a batch of ${size} messages, which protocol version ${named(spoken)} does not support. Send them one by one.`;
        report('batch-not-allowed', message, [entry.sequence]);
      },
    };
  },
};
