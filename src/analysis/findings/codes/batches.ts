import { ObjectView } from '../../../json/object-view.ts';
import type { Finder } from '../finder.ts';
import { named, senderOf } from '../wording.ts';

/** The only revision with batches. */
const WITH_BATCHES = '2025-03-26';

/** Finds batches in revisions that do not allow them. Each batch is reported once, with its first message. */
export const batches: Finder = {
  codes: ['batch-not-allowed'],
  watch: (report) => ({
    message({ entry, conversation, revision }) {
      if (entry.batch === undefined) return;
      const spoken = revision ?? conversation.agreedRevision;
      const batch = ObjectView.of(entry.batch);
      if (spoken === undefined || spoken === WITH_BATCHES || batch?.number('index') !== 0) return;
      const size = batch.number('of') ?? 0;
      const message = `${senderOf(entry)} sent a batch of ${size} messages, which revision ${named(spoken)} does not support. Send them one by one.`;
      report('batch-not-allowed', message, [entry.sequence]);
    },
  }),
};
