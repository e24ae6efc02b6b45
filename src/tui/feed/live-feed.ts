import { type ControlClient, connectLive } from '../../control/control-client.ts';
import { TraceLineFeed } from '../../control/trace-lines.ts';
import { inOneLine } from '../../model/errors.ts';
import type { RunningSession } from '../../state/live-sessions.ts';
import { RefreshPace } from './pace.ts';
import type { FeedDeps, FeedListener, SessionFeed, SessionSteering } from './session-feed.ts';
import { TraceEntries } from './trace-entries.ts';
import { WorkQueue } from './work-queue.ts';

/** Follows a running session from its start and controls its held messages. Rejects if it cannot be reached. */
export async function feedLive(session: RunningSession, deps: FeedDeps, listener: FeedListener): Promise<SessionFeed> {
  const feed = new LiveFeed(session, deps, listener);
  await feed.open();
  return feed;
}

/** The commands that a screen can send to a session. */
export function steeringOf(client: ControlClient): SessionSteering {
  return {
    setMode: async (mode, filter) => void (await client.setMode(mode, filter)),
    decide: async (id, requested) => (await client.decide(id, requested)).hints,
    save: () => client.save(),
    end: () => client.requestEnd(),
  };
}

class LiveFeed implements SessionFeed {
  readonly #session: RunningSession;
  readonly #pace: RefreshPace;
  readonly #entries: TraceEntries;
  readonly #listener: FeedListener;
  /** Processes events in order, with file reads in between. */
  readonly #queue: WorkQueue;
  #client: ControlClient | undefined;
  /** The number of the first line not yet announced. */
  #reported = 0;

  constructor(session: RunningSession, { openTrace, nowMs }: FeedDeps, listener: FeedListener) {
    this.#session = session;
    this.#pace = new RefreshPace(nowMs);
    this.#entries = new TraceEntries(session, new TraceLineFeed(openTrace, session.trace), this.#pace, listener);
    this.#listener = listener;
    this.#queue = new WorkQueue((error) => listener.onEnding({ how: 'lost', why: inOneLine(error) }));
  }

  async open(): Promise<void> {
    const listener = this.#listener;
    const queue = this.#queue;
    const entries = this.#entries;
    const client = await connectLive(this.#session, {
      listener: {
        onLines: (first, lines) => {
          this.#reported = first + lines.length;
          queue.add(async () => entries.take(first, lines));
        },
        onMissed: (from, to) => {
          this.#reported = to;
          this.#pace.isBusy();
          queue.add(() => entries.readRange(from, to));
        },
        onHeld: (held) => listener.onHeld(held),
        // The row stays until its line has been read.
        onReleased: ({ id, decision, by }) =>
          queue.add(async () => listener.onReleased({ id, action: decision.action, by })),
        onState: (state) => listener.onState(state),
      },
    });
    this.#client = client;
    queue.add(() => entries.readHeader());
    void client.over.then((ending) => {
      if (ending === 'left') return;
      this.#pace.isOver();
      queue.add(async () => {
        listener.onEnding(ending === 'ended' ? { how: 'ended' } : { how: 'lost', why: inOneLine(ending) });
      });
    });
    listener.onState(client.state);
    await client.follow(0);
    await client.takeCharge();
  }

  get steering(): SessionSteering | undefined {
    return this.#client && steeringOf(this.#client);
  }

  get folder(): string | undefined {
    return this.#client?.facts.folder;
  }

  get isBehind(): boolean {
    return this.#entries.next < this.#reported;
  }

  close(): void {
    this.#queue.close();
    this.#client?.close();
  }
}
