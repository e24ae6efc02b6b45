import type { OpenTrace } from '../control/trace-lines.ts';
import { ReelError } from '../model/errors.ts';
import type { RunningSession } from '../state/live-sessions.ts';
import { PageEventStream } from './event-stream.ts';
import { LiveChannel } from './live-channel.ts';
import { LiveLink } from './live-link.ts';

/** What the hub needs to find running sessions and to read their traces. */
export interface LiveHubOptions {
  /** Lists the running sessions that pages may see. */
  readonly running: () => Promise<readonly RunningSession[]>;
  /** Finds the trace of an earlier session. */
  readonly findTrace: (id: string) => Promise<string | undefined>;
  readonly openTrace: OpenTrace;
  readonly nowMs: () => number;
}

/** The interval for listing running sessions while a page is open. */
const LOOK_EVERY_MS = 500;
const MAX_FAILURES = 120;
/** A page that reloads or loses its connection reconnects within this time. Held messages wait for it. */
const GRACE_MS = 3000;

/** A page that follows the running sessions. */
interface HubVisitor {
  readonly stream: PageEventStream;
  /** For each session that the page knows, the number of the first line that the page does not have. */
  readonly has: Map<string, number>;
  readonly reported: Set<string>;
}

/** Connects pages with the running sessions. */
export class LiveHub {
  readonly #options: LiveHubOptions;
  readonly #visitors = new Set<HubVisitor>();
  readonly #links = new Map<string, LiveLink>();
  /** Failed connection attempts per session. A session is announced shortly before it listens, and may never listen. */
  readonly #failures = new Map<string, number>();
  readonly #ended = new Map<string, RunningSession>();
  #timer: NodeJS.Timeout | undefined;
  #leaving: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;

  constructor(options: LiveHubOptions) {
    this.#options = options;
  }

  /** Sessions that were seen and are over. */
  get ended(): readonly RunningSession[] {
    return [...this.#ended.values()];
  }

  /** Returns the link to a running session that can be controlled. */
  link(id: string): LiveLink {
    const link = this.#links.get(id);
    if (link === undefined) throw new ReelError('session-gone', `Session ${id} is no longer running`);
    return link;
  }

  /** Streams events to a page: for each session, the lines that it does not have and everything that follows. */
  visit(has: ReadonlyMap<string, number>): ReadableStream<Uint8Array> {
    const stream = new PageEventStream(() => this.#leave(visitor));
    const visitor: HubVisitor = { stream, has: new Map(has), reported: new Set() };
    clearTimeout(this.#leaving);
    this.#visitors.add(visitor);
    for (const link of this.#links.values()) this.#show(link, visitor);
    this.#timer ??= setInterval(() => void this.#look(), LOOK_EVERY_MS).unref();
    void this.#look().then(() => this.#reportEnded(visitor));
    return stream.body;
  }

  close(): void {
    clearTimeout(this.#leaving);
    this.#letGo();
    for (const { stream } of this.#visitors) stream.end();
  }

  #leave(visitor: HubVisitor): void {
    this.#visitors.delete(visitor);
    if (this.#visitors.size > 0) return;
    clearTimeout(this.#leaving);
    this.#leaving = setTimeout(() => this.#letGo(), GRACE_MS).unref();
  }

  #letGo(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    for (const link of this.#links.values()) link.close();
    this.#links.clear();
  }

  /** Connects to all running sessions. Concurrent calls share one run and wait for it. */
  #look(): Promise<void> {
    this.#looking ??= this.#connectAll().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #connectAll(): Promise<void> {
    try {
      const running = await this.#options.running();
      await Promise.all(running.map((session) => this.#connect(session)));
    } catch {
      // The next interval tries again.
    }
  }

  async #connect(session: RunningSession): Promise<void> {
    const { id } = session;
    const failures = this.#failures.get(id) ?? 0;
    if (this.#links.has(id) || this.#ended.has(id) || failures >= MAX_FAILURES) return;
    try {
      const link = await LiveLink.open(session);
      // A link takes charge of held messages, so it must only stay open while a page can decide on them.
      if (this.#timer === undefined) return link.close();
      this.#links.set(id, link);
      void link.over.then(({ type }) => {
        // mcpreel closed this link itself. The session may still be running and is found again.
        if (this.#links.get(id) !== link) return;
        this.#links.delete(id);
        if (type === 'end') this.#ended.set(id, session);
      });
      for (const visitor of this.#visitors) this.#show(link, visitor);
    } catch {
      this.#failures.set(id, failures + 1);
    }
  }

  #show(link: LiveLink, visitor: HubVisitor): void {
    const { session } = link;
    if (visitor.reported.has(session.id)) return;
    visitor.reported.add(session.id);
    const channel = this.#channel(session, visitor);
    void channel.follow(link).then(() => {
      // If the link was lost, the session may be found again.
      visitor.has.set(session.id, channel.next);
      visitor.reported.delete(session.id);
    });
  }

  /** Reports sessions that ended while the page was not connected. */
  async #reportEnded({ stream, has, reported }: HubVisitor): Promise<void> {
    for (const [id, from] of has) {
      if (reported.has(id) || stream.isOver) continue;
      const trace = this.#ended.get(id)?.trace ?? (await this.#options.findTrace(id).catch(() => undefined));
      if (trace === undefined) stream.send({ session: id, type: 'lost', why: `Session ${id} is no longer running` });
      else await new LiveChannel(stream, { id, trace }, { ...this.#options, from }).finish({ type: 'end' });
    }
  }

  #channel(session: RunningSession, { stream, has }: HubVisitor): LiveChannel {
    return new LiveChannel(stream, session, { ...this.#options, from: has.get(session.id) ?? 0 });
  }
}
