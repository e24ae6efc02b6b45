import { connectLive, type LiveClient } from '../../live/live-client.ts';
import { type OpenTrace, TraceLines } from '../../live/trace-lines.ts';
import type { LiveSession } from '../../state/live-sessions.ts';
import { type FeedListener, type SessionFeed, type Steering, sayError } from './session-feed.ts';
import { TraceEntries } from './trace-entries.ts';
import { WorkQueue } from './work-queue.ts';

/** Follows a session that runs, from its beginning, and takes charge of what it holds. Rejects if it cannot be reached. */
export async function feedLive(
  session: LiveSession,
  openTrace: OpenTrace,
  listener: FeedListener,
): Promise<SessionFeed> {
  const feed = new LiveFeed(session, openTrace, listener);
  await feed.open();
  return feed;
}

/** What a screen may ask of a session. */
export function steeringOf(client: LiveClient): Steering {
  return {
    setMode: async (mode, filter) => void (await client.setMode(mode, filter)),
    decide: async (id, wanted) => (await client.decide(id, wanted)).hints,
    save: () => client.save(),
    end: () => client.requestEnd(),
  };
}

class LiveFeed implements SessionFeed {
  readonly #session: LiveSession;
  readonly #entries: TraceEntries;
  readonly #listener: FeedListener;
  /** What has come is worked on in its order, reading files in between. */
  readonly #queue: WorkQueue;
  #client: LiveClient | undefined;

  constructor(session: LiveSession, openTrace: OpenTrace, listener: FeedListener) {
    this.#session = session;
    this.#entries = new TraceEntries(session, new TraceLines(openTrace, session.trace), listener);
    this.#listener = listener;
    this.#queue = new WorkQueue((error) => listener.onEnding({ how: 'lost', why: sayError(error) }));
  }

  async open(): Promise<void> {
    const listener = this.#listener;
    const queue = this.#queue;
    const entries = this.#entries;
    const client = await connectLive(this.#session, {
      listener: {
        onLines: (_first, lines) => queue.add(async () => entries.take(lines)),
        onMissed: (from, to) => queue.add(() => entries.readRange(from, to)),
        onHeld: (held) => listener.onHeld(held),
        // Its line is on its way: the row stays until it is there.
        onReleased: ({ id, decision, by }) =>
          queue.add(async () => listener.onReleased(id, `${decision.action} by ${by}`)),
        onState: (state) => listener.onState(state),
      },
    });
    this.#client = client;
    queue.add(() => entries.readHeader());
    void client.over.then((ending) => {
      if (ending === 'left') return;
      queue.add(async () => {
        listener.onEnding(ending === 'ended' ? { how: 'ended' } : { how: 'lost', why: sayError(ending) });
      });
    });
    listener.onState(client.state);
    await client.follow(0);
    await client.takeCharge();
  }

  get steering(): Steering | undefined {
    return this.#client && steeringOf(this.#client);
  }

  get folder(): string | undefined {
    return this.#client?.facts.folder;
  }

  close(): void {
    this.#queue.close();
    this.#client?.close();
  }
}
