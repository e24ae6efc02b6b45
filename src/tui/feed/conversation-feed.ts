import { type ControlClient, connectLive } from '../../control/control-client.ts';
import { TraceLineFeed } from '../../control/trace-lines.ts';
import { inOneLine, ReelError } from '../../model/errors.ts';
import type { RunningSession } from '../../state/live-sessions.ts';
import { steeringOf } from './live-feed.ts';
import { RefreshPace } from './pace.ts';
import type { FeedDeps, FeedEnding, FeedListener, SessionFeed, SessionSteering } from './session-feed.ts';
import { TraceEntries } from './trace-entries.ts';
import { WorkQueue } from './work-queue.ts';

/** How often the trace is polled, since nothing announces a conversation's new lines. */
const LOOK_MS = 200;

/**
 * Follows a conversation that is recorded in its own trace. Commands and held messages go through the run it belongs
 * to. Rejects if the run cannot be reached.
 */
export async function feedConversation(
  conversation: RunningSession,
  run: RunningSession,
  deps: FeedDeps,
  listener: FeedListener,
): Promise<SessionFeed> {
  const feed = new ConversationFeed(conversation, deps, listener);
  await feed.open(run);
  return feed;
}

class ConversationFeed implements SessionFeed {
  readonly #session: RunningSession;
  readonly #trace: TraceLineFeed;
  readonly #pace: RefreshPace;
  readonly #entries: TraceEntries;
  readonly #listener: FeedListener;
  readonly #queue: WorkQueue;
  #client: ControlClient | undefined;
  #looking: NodeJS.Timeout | undefined;
  /** Its conversation number in the run. */
  #number: number | undefined;
  #isOver = false;

  constructor(session: RunningSession, { openTrace, nowMs }: FeedDeps, listener: FeedListener) {
    this.#session = session;
    this.#trace = new TraceLineFeed(openTrace, session.trace);
    this.#pace = new RefreshPace(nowMs);
    this.#entries = new TraceEntries(session, this.#trace, this.#pace, listener);
    this.#listener = listener;
    this.#queue = new WorkQueue((error) => this.#end({ how: 'lost', why: inOneLine(error) }));
  }

  async open(run: RunningSession): Promise<void> {
    const listener = this.#listener;
    const queue = this.#queue;
    queue.add(async () => {
      this.#number = (await this.#entries.readHeader())?.number('conversation');
    });
    const client = await connectLive(run, {
      listener: {
        onHeld: (held) => queue.add(async () => held.conversation === this.#number && listener.onHeld(held)),
        onReleased: ({ id, decision, by }) =>
          queue.add(async () => {
            await this.#read();
            listener.onReleased({ id, action: decision.action, by });
          }),
        onState: (state) => listener.onState(state),
      },
    });
    this.#client = client;
    void client.over.then((ending) => {
      if (ending === 'left') return;
      queue.add(async () => {
        await this.#read();
        this.#end(ending === 'ended' ? { how: 'ended' } : { how: 'lost', why: inOneLine(ending) });
      });
    });
    listener.onState(client.state);
    await client.takeCharge();
    this.#look();
  }

  get steering(): SessionSteering | undefined {
    return this.#client && { ...steeringOf(this.#client), save: () => this.#refuseToSave() };
  }

  get folder(): string | undefined {
    return this.#client?.facts.folder;
  }

  close(): void {
    this.#isOver = true;
    clearTimeout(this.#looking);
    this.#queue.close();
    this.#client?.close();
  }

  #look(): void {
    this.#queue.add(async () => {
      const hasGrown = await this.#read();
      if (hasGrown && (await this.#trace.ending()) !== undefined) {
        // Lines written just before the ending may have arrived after the last read.
        await this.#read();
        this.#end({ how: 'silent' });
      }
      if (!this.#isOver) this.#looking = setTimeout(() => this.#look(), LOOK_MS);
    });
  }

  /** Reads new lines; resolves with whether there were any. */
  async #read(): Promise<boolean> {
    if (this.#isOver || !(await this.#trace.hasGrown())) return false;
    this.#pace.isBusy();
    await this.#entries.readRange(this.#entries.next, Number.POSITIVE_INFINITY);
    return true;
  }

  /** The end of the run is reported even if the conversation ended before. */
  #end(ending: FeedEnding): void {
    if (this.#isOver && ending.how === 'silent') return;
    this.#isOver = true;
    clearTimeout(this.#looking);
    this.#listener.onEnding(ending);
  }

  async #refuseToSave(): Promise<string> {
    throw new ReelError('usage', 'Cannot save a single conversation.', {
      hint: `Save the session: mcpreel export ${this.#session.id.slice(0, 8)}`,
    });
  }
}
