import { EntryReader } from '../../formats/trace-entries.ts';
import { headerFrom } from '../../formats/trace-header.ts';
import { ObjectView } from '../../json/object-view.ts';
import { connectLive, type LiveClient } from '../../live/live-client.ts';
import { type OpenTrace, TraceLines } from '../../live/trace-lines.ts';
import type { Entry } from '../../model/entry.ts';
import { type SessionHeader, unnamedHeader } from '../../model/session.ts';
import type { LiveSession } from '../../state/live-sessions.ts';
import { type FeedListener, type SessionFeed, type Steering, sayError } from './session-feed.ts';

/** Lines of a trace that are read at once before anybody else has their turn. */
const BATCH = 500;

/** Follows a session that runs, from its beginning, and takes charge of what it holds. Rejects if it cannot be reached. */
export async function feedLive(
  session: LiveSession,
  openTrace: OpenTrace,
  listener: FeedListener,
): Promise<SessionFeed> {
  const feed = new LiveFeed(session, new TraceLines(openTrace, session.trace), listener);
  await feed.open();
  return feed;
}

class LiveFeed implements SessionFeed {
  readonly #session: LiveSession;
  readonly #trace: TraceLines;
  readonly #listener: FeedListener;
  /** What has come is worked on in its order, reading files in between. */
  #work: Promise<void> = Promise.resolve();
  #reader: EntryReader | undefined;
  #lines = 0;
  #client: LiveClient | undefined;
  #isClosed = false;

  constructor(session: LiveSession, trace: TraceLines, listener: FeedListener) {
    this.#session = session;
    this.#trace = trace;
    this.#listener = listener;
  }

  async open(): Promise<void> {
    const listener = this.#listener;
    const client = await connectLive(this.#session, {
      listener: {
        onLines: (_first, lines) => this.#then(async () => this.#take(lines)),
        onMissed: (from, to) => this.#then(() => this.#readRange(from, to)),
        onHeld: (held) => listener.onHeld(held),
        // Its line is on its way: the row stays until it is there.
        onReleased: ({ id, decision, by }) =>
          this.#then(async () => listener.onReleased(id, `${decision.action} by ${by}`)),
        onState: (state) => listener.onState(state),
      },
    });
    this.#client = client;
    this.#then(() => this.#readHeader());
    void client.over.then((ending) => {
      if (ending === 'left') return;
      this.#then(async () => {
        listener.onEnding(ending === 'ended' ? { how: 'ended' } : { how: 'lost', why: sayError(ending) });
      });
    });
    listener.onState(client.state);
    await client.follow(0);
    await client.takeCharge();
  }

  get steering(): Steering | undefined {
    const client = this.#client;
    return (
      client && {
        setMode: async (mode, filter) => void (await client.setMode(mode, filter)),
        decide: async (id, wanted) => (await client.decide(id, wanted)).hints,
        save: () => client.save(),
        end: () => client.requestEnd(),
      }
    );
  }

  get folder(): string | undefined {
    return this.#client?.facts.folder;
  }

  close(): void {
    this.#isClosed = true;
    this.#client?.close();
  }

  #then(step: () => Promise<void>): void {
    this.#work = this.#work.then(async () => {
      if (this.#isClosed) return;
      try {
        await step();
      } catch (error) {
        this.#listener.onEnding({ how: 'lost', why: sayError(error) });
      }
    });
  }

  async #readHeader(): Promise<void> {
    const line = await this.#trace.header().catch(() => undefined);
    const first = line === undefined ? undefined : ObjectView.of(line);
    const header = first?.string('type') === 'meta' ? headerFrom(first) : this.#ownHeader();
    this.#reader = new EntryReader(header, () => undefined);
    this.#listener.onHeader(header);
  }

  #ownHeader(): SessionHeader {
    const { id, label, startedAtMs } = this.#session;
    return { ...unnamedHeader(id), label, startedAtMs };
  }

  async #readRange(from: number, to: number): Promise<void> {
    let lines: string[] = [];
    for await (const line of this.#trace.range(from, to)) {
      lines.push(line);
      if (lines.length < BATCH) continue;
      this.#take(lines);
      lines = [];
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#take(lines);
  }

  #take(lines: readonly string[]): void {
    const entries: Entry[] = [];
    for (const text of lines) this.#reader?.take({ text, ended: true, number: ++this.#lines }, entries);
    if (entries.length > 0) this.#listener.onEntries(entries);
  }
}
