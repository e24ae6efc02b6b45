import type { OpenTrace } from '../control/trace-lines.ts';
import { ReelError } from '../model/errors.ts';
import type { RunningSession } from '../state/live-sessions.ts';
import { PageEventStream } from './event-stream.ts';
import { LiveChannel } from './live-channel.ts';
import { LiveLink } from './live-link.ts';

export interface LiveHubOptions {
  /** The sessions that run now and are to be seen. */
  readonly running: () => Promise<readonly RunningSession[]>;
  /** The trace of a session that ran before. */
  readonly findTrace: (id: string) => Promise<string | undefined>;
  readonly openTrace: OpenTrace;
  readonly nowMs: () => number;
}

/** How often it is looked which sessions run, while a page is open. */
const LOOK_EVERY_MS = 500;
const MAX_FAILURES = 120;
/** A page that is loaded again, or lost its connection, comes back within this time: what is held waits for it. */
const GRACE_MS = 3000;

/** A page that follows what runs. */
interface HubVisitor {
  readonly stream: PageEventStream;
  /** The number of the first line that it does not have, for each session that it knows. */
  readonly has: Map<string, number>;
  readonly told: Set<string>;
}

/** Connects pages with the sessions that run. */
export class LiveHub {
  readonly #options: LiveHubOptions;
  readonly #visitors = new Set<HubVisitor>();
  readonly #links = new Map<string, LiveLink>();
  /** How often a session could not be reached: it is announced a moment before it listens, and may never do. */
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

  /** A running session that can be steered. */
  link(id: string): LiveLink {
    const link = this.#links.get(id);
    if (link === undefined) throw new ReelError('session-gone', `Session ${id} does not run any more`);
    return link;
  }

  /** What is told to a page from now on: of each session all lines that it does not have, and what happens. */
  visit(has: ReadonlyMap<string, number>): ReadableStream<Uint8Array> {
    const stream = new PageEventStream(() => this.#leave(visitor));
    const visitor: HubVisitor = { stream, has: new Map(has), told: new Set() };
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

  /** Resolves when all that runs was looked at, also for whoever asks while that is done. */
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
      // The next look may do better.
    }
  }

  async #connect(session: RunningSession): Promise<void> {
    const { id } = session;
    const failures = this.#failures.get(id) ?? 0;
    if (this.#links.has(id) || this.#ended.has(id) || failures >= MAX_FAILURES) return;
    try {
      const link = await LiveLink.open(session);
      // Whoever is in charge of what is held must be there to decide.
      if (this.#timer === undefined) return link.close();
      this.#links.set(id, link);
      void link.over.then(({ type }) => {
        // Who was left by us may run on, and is found again.
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
    if (visitor.told.has(session.id)) return;
    visitor.told.add(session.id);
    const channel = this.#channel(session, visitor);
    void channel.follow(link).then(() => {
      // Where it was but lost it may be found again.
      visitor.has.set(session.id, channel.next);
      visitor.told.delete(session.id);
    });
  }

  /** Sessions that ended while a page was not connected. */
  async #reportEnded({ stream, has, told: reported }: HubVisitor): Promise<void> {
    for (const [id, from] of has) {
      if (reported.has(id) || stream.isOver) continue;
      const trace = this.#ended.get(id)?.trace ?? (await this.#options.findTrace(id).catch(() => undefined));
      if (trace === undefined) stream.send({ session: id, type: 'lost', why: `Session ${id} does not run any more` });
      else await new LiveChannel(stream, { id, trace }, { ...this.#options, from }).finish({ type: 'end' });
    }
  }

  #channel(session: RunningSession, { stream, has }: HubVisitor): LiveChannel {
    return new LiveChannel(stream, session, { ...this.#options, from: has.get(session.id) ?? 0 });
  }
}
