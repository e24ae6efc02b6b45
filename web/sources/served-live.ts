import { type Signal, signal } from '@preact/signals';
import type { RemoteEngine } from '../model/engine-protocol.ts';
import { jsonLines } from './json-lines.ts';
import { type ServedApi, ServedFault } from './served-api.ts';
import type {
  ServedDecision,
  ServedHeldMessage,
  ServedHoldState,
  ServedMode,
  ServedRelease,
  SessionEvent,
} from './served-protocol.ts';

/** A session that is running, or was running while the page was open. */
export interface ServedSession {
  readonly id: string;
  readonly label: string;
  readonly pid: number;
  readonly state: ServedHoldState;
  readonly held: readonly ServedHeldMessage[];
  /** How far the clock of the program that serves the page is ahead of the browser's. */
  readonly aheadMs: number;
  /** How the session ended, if it has. */
  readonly ending: 'ended' | 'lost' | undefined;
}

/** The outcome of a held message. */
export interface LiveNews extends ServedRelease {
  readonly session: string;
  /** Whether this page made the decision. */
  readonly isOwn: boolean;
  readonly message: ServedHeldMessage | undefined;
}

/** The state of the connection to the program that serves the page. */
export type ServedConnection = 'connecting' | 'open' | 'lost' | 'refused';

const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 3000;
const MAX_NEWS = 50;

/** The running sessions, which the page follows and controls. */
export class ServedLive {
  readonly connection: Signal<ServedConnection> = signal('connecting');
  readonly sessions: Signal<readonly ServedSession[]> = signal([]);
  readonly news: Signal<readonly LiveNews[]> = signal([]);
  readonly isPaused: Signal<boolean> = signal(false);
  readonly #api: ServedApi;
  readonly #engine: RemoteEngine;
  /** The number of the next line to receive, by session. */
  readonly #next = new Map<string, number>();
  readonly #decided = new Set<string>();

  constructor(api: ServedApi, engine: RemoteEngine) {
    this.#api = api;
    this.#engine = engine;
  }

  /**
   * Follows the running sessions while the page is open. It reconnects after a lost connection without missing lines.
   */
  async follow(): Promise<void> {
    let waitMs = FIRST_WAIT_MS;
    for (;;) {
      try {
        const { body } = await this.#api.get(`/api/live?${this.#has()}`);
        this.connection.value = 'open';
        waitMs = FIRST_WAIT_MS;
        if (body !== null) for await (const event of jsonLines(body)) this.#take(event as SessionEvent);
      } catch (error) {
        if (error instanceof ServedFault && error.isFinal) {
          this.connection.value = 'refused';
          return;
        }
      }
      this.connection.value = 'lost';
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      waitMs = Math.min(MAX_WAIT_MS, waitMs * 2);
    }
  }

  pause(isPaused: boolean): void {
    this.isPaused.value = isPaused;
    void this.#engine.pauseLive(isPaused);
  }

  async setMode(session: string, mode: ServedMode, filter: string | undefined): Promise<void> {
    await this.#api.post(`/api/live/${session}/mode`, { mode, filter });
  }

  /** Resolves with warnings about the decision. Rejects if the session refuses it. */
  async decide(session: string, id: string, requested: ServedDecision): Promise<readonly string[]> {
    this.#decided.add(id);
    try {
      const done = (await this.#api.post(`/api/live/${session}/decide`, { id, ...requested })) as {
        readonly hints: readonly string[];
      };
      return done.hints;
    } catch (error) {
      this.#decided.delete(id);
      throw error;
    }
  }

  #has(): string {
    const running = this.sessions.value.filter(({ ending }) => ending !== 'ended');
    return running.map(({ id }) => `has=${id}:${this.#next.get(id) ?? 0}`).join('&');
  }

  #take(event: SessionEvent): void {
    const { session: id } = event;
    switch (event.type) {
      case 'begin':
        this.#begin(event);
        return;
      case 'lines':
        this.#next.set(id, event.next);
        void this.#engine.addLive(id, event.lines);
        return;
      case 'held':
        this.#change(id, ({ held }) => ({ held: [...held.filter((one) => one.id !== event.held.id), event.held] }));
        return;
      case 'released':
        this.#release(id, event.release);
        return;
      case 'state':
        this.#change(id, () => ({ state: event.state }));
        return;
      case 'end':
        void this.#engine.endLive(id, { line: event.line });
        this.#change(id, () => ({ ending: 'ended', held: [] }));
        return;
      case 'lost':
        void this.#engine.endLive(id, { why: event.why });
        this.#change(id, () => ({ ending: 'lost', held: [] }));
    }
  }

  #begin({ session: id, label, pid, startedAtMs, header, state, held, nowMs }: SessionEvent & { type: 'begin' }): void {
    void this.#engine.beginLive({ id, label, startedAtMs, header });
    const aheadMs = nowMs - Date.now();
    const session: ServedSession = { id, label, pid, state, held, aheadMs, ending: undefined };
    const others = this.sessions.value.filter((known) => known.id !== id);
    this.sessions.value = [...others, session];
  }

  #release(id: string, release: ServedRelease): void {
    const message = this.sessions.value.find((one) => one.id === id)?.held.find((one) => one.id === release.id);
    const isOwn = release.by === 'screen' && this.#decided.delete(release.id);
    this.news.value = [{ ...release, session: id, isOwn, message }, ...this.news.value].slice(0, MAX_NEWS);
    this.#change(id, ({ held }) => ({ held: held.filter((one) => one.id !== release.id) }));
  }

  #change(id: string, change: (session: ServedSession) => Partial<ServedSession>): void {
    this.sessions.value = this.sessions.value.map((session) =>
      session.id === id ? { ...session, ...change(session) } : session,
    );
  }
}
