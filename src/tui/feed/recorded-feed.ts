import { inOneLine } from '../../model/errors.ts';
import type { RecordedSession } from '../../model/session.ts';
import { breath } from './pace.ts';
import type { FeedListener, SessionFeed } from './session-feed.ts';

/** Reads a session that was recorded, batch by batch. */
export function feedRecorded(session: RecordedSession, listener: FeedListener): SessionFeed {
  let isClosed = false;
  void read();
  return {
    close: () => {
      isClosed = true;
    },
  };

  async function read(): Promise<void> {
    try {
      listener.onHeader(session.header);
      for await (const batch of session.batches()) {
        if (isClosed) return;
        listener.onEntries(batch);
        await breath();
      }
      listener.onEnding({ how: 'read' });
    } catch (error) {
      listener.onEnding({ how: 'lost', why: inOneLine(error) });
    }
  }
}
