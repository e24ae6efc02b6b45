import type { Entry } from '../model/entry.ts';
import type { SessionHeader } from '../model/session.ts';
import type { EntryMaker } from '../record/entry-maker.ts';
import type { Redactor } from '../redact/redactor.ts';
import type { KeepingOptions, SessionDeps } from './capture-options.ts';
import type { Interception } from './interception.ts';
import { isEnding, SteeredSession } from './steered-session.ts';

const STATUS_DONE = 0;
const STATUS_FAILED = 1;

/** A session that runs until a signal or a failure ends it, because no server process determines its end. */
export class LastingSession {
  /** Resolves when the session should end. */
  readonly ended: Promise<void>;
  readonly #session: SteeredSession;
  readonly #deps: SessionDeps;
  readonly #stopListening: () => void;
  #end: () => void = () => undefined;
  #failure: string | undefined;

  /** Throws only if `mustRecord` is set and recording is impossible. */
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

  /** Ends the session with an error that is shown to the user. */
  fail(reason: string): void {
    this.#failure ??= reason;
    this.#end();
  }

  /** Saves everything, and resolves with the exit status. */
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

/** The error for a session with `mustRecord` that could not be recorded. */
export function unrecorded(reason: string): string {
  return `The session was ended because it could not be recorded any more: ${reason}`;
}

/** Capitalizes a reason, so that it can stand alone. */
export function sentence(reason: string): string {
  return reason.charAt(0).toUpperCase() + reason.slice(1);
}
