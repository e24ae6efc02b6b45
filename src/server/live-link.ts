import { type ControlClient, type ControlListener, connectLive } from '../control/control-client.ts';
import type { LiveEvent } from '../control/control-protocol.ts';
import { ReelError } from '../model/errors.ts';
import type { RunningSession } from '../state/live-sessions.ts';

export type LinkHeldMessage = Extract<LiveEvent, { type: 'held' }>['held'];

/** The events that a link forwards unchanged. */
export type LinkEvent = Extract<LiveEvent, { type: 'held' | 'released' | 'state' }>;

/** How a session ended: normally, or with a lost connection. */
export type LinkEnding = { readonly type: 'end' } | { readonly type: 'lost'; readonly why: string };

export interface LinkListener {
  onLines(firstSeq: number, lines: readonly string[]): void;
  /** Lines up to but not including `to` are in the trace. */
  onMissed(to: number): void;
  onEvent(event: LinkEvent): void;
}

/** The connection to a running session, shared by all pages that show it. It takes charge of held messages. */
export class LiveLink {
  readonly session: RunningSession;
  readonly #listeners = new Set<LinkListener>();
  readonly #held = new Map<string, LinkHeldMessage>();
  #client: ControlClient | undefined;
  #nextSeq = 0;

  private constructor(session: RunningSession) {
    this.session = session;
  }

  /** Rejects if the session refuses the connection. */
  static async open(session: RunningSession): Promise<LiveLink> {
    const link = new LiveLink(session);
    const client = await connectLive(session, { listener: link.#listener(), tries: 1 });
    link.#client = client;
    link.#nextSeq = client.nextSeq;
    await client.follow(client.nextSeq);
    await client.takeCharge();
    return link;
  }

  /** The client for the session's control socket. */
  get client(): ControlClient {
    if (this.#client === undefined) throw new ReelError('session-gone', `Session ${this.session.id} does not respond`);
    return this.#client;
  }

  /** Resolves when the session is over, or when the link was closed. */
  get over(): Promise<LinkEnding> {
    return this.client.over.then((ending) =>
      ending instanceof ReelError ? { type: 'lost', why: ending.message } : { type: 'end' },
    );
  }

  get held(): readonly LinkHeldMessage[] {
    return [...this.#held.values()];
  }

  /** The number of the next line in the trace, as far as known. */
  get nextSeq(): number {
    return this.#nextSeq;
  }

  /** Adds a listener, and returns a function that removes it. */
  listen(listener: LinkListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  close(): void {
    this.#client?.close();
  }

  #listener(): ControlListener {
    const report = (work: (listener: LinkListener) => void): void => this.#listeners.forEach(work);
    return {
      onLines: (firstSeq, lines) => {
        this.#nextSeq = firstSeq + lines.length;
        report((listener) => listener.onLines(firstSeq, lines));
      },
      onMissed: (_from, to) => {
        this.#nextSeq = Math.max(this.#nextSeq, to);
        report((listener) => listener.onMissed(to));
      },
      onHeld: (held) => {
        this.#held.set(held.id, held);
        report((listener) => listener.onEvent({ type: 'held', held }));
      },
      onReleased: (release) => {
        this.#held.delete(release.id);
        report((listener) => listener.onEvent({ type: 'released', release }));
      },
      onState: (state) => report((listener) => listener.onEvent({ type: 'state', state })),
    };
  }
}
