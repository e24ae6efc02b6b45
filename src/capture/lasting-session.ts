import type { Entry } from '../model/entry.ts';
import type { SessionHeader } from '../model/session.ts';
import type { Redactor } from '../redact/redactor.ts';
import type { KeepingOptions, SessionDeps } from './capture-options.ts';
import type { EntryMaker } from './entry-maker.ts';
import type { Interception } from './interception.ts';
import { isEnding, SteeredSession } from './steered-session.ts';

const STATUS_DONE = 0;
const STATUS_FAILED = 1;

/** A session with no process whose end would be its own: it goes on until a signal or a failure ends it. */
export class LastingSession {
  /** Resolves when the session is to end. */
  readonly ended: Promise<void>;
  readonly #session: SteeredSession;
  readonly #deps: SessionDeps;
  readonly #stopListening: () => void;
  #end: () => void = () => undefined;
  #failure: string | undefined;

  /** Throws only where the session must be recorded and cannot be. */
  constructor(header: SessionHeader, options: KeepingOptions, deps: SessionDeps, redactor: Redactor | undefined) {
    this.#deps = deps;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#session = new SteeredSession(header, options, deps, redactor, (reason) => {
      if (options.mustRecord) this.fail(unrecorded(reason));
    });
    this.#stopListening = deps.onSignal((signal) => this.#receive(signal));
    void deps.stopped?.then(() => this.#end());
  }

  get id(): string {
    return this.#session.id;
  }

  get maker(): EntryMaker {
    return this.#session.maker;
  }

  get interception(): Interception {
    return this.#session.interception;
  }

  append(entries: readonly Entry[]): void {
    this.#session.append(entries);
  }

  recordAction(raw: Readonly<Record<string, unknown>>, conversation?: number): void {
    this.#session.recordAction(raw, conversation);
  }

  end(): void {
    this.#end();
  }

  /** Ends the session for a reason that the person who runs this must know. */
  fail(reason: string): void {
    this.#failure ??= reason;
    this.#end();
  }

  /** Resolves with the exit status when everything is kept. */
  async close(): Promise<number> {
    const code = this.#failure === undefined ? STATUS_DONE : STATUS_FAILED;
    await this.#session.end({ code, reason: 'producer_shutdown' });
    this.#stopListening();
    if (this.#failure !== undefined) this.#deps.note(`Error: ${sentence(this.#failure)}`);
    return code;
  }

  #receive(signal: NodeJS.Signals): void {
    this.recordAction({ action: 'signal', signal });
    if (!isEnding(signal)) return;
    this.#session.signalled(signal);
    this.#end();
  }
}

/** What is said of a session that had to be recorded and could not be. */
export function unrecorded(reason: string): string {
  return `The session was ended because it could not be recorded any more: ${reason}`;
}

/** A reason as it stands alone. */
export function sentence(reason: string): string {
  return reason.charAt(0).toUpperCase() + reason.slice(1);
}
