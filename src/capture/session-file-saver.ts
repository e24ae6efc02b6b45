import { existsSync } from 'node:fs';

export interface SessionFileSaverOptions {
  /** The current path of the trace file. Throws if that is not the file that this process writes. */
  readonly tracePath: () => string;
  readonly sessionFile: string;
  /** The command to suggest if the file could not be written. */
  readonly remedy: string;
  readonly note: (line: string) => void;
}

const TOO_LONG = 'it took too long';

/** Updates the session file from the trace file, one save at a time. */
export class SessionFileSaver {
  readonly #options: SessionFileSaverOptions;
  readonly #givingUp = new AbortController();
  #last: Promise<boolean> = Promise.resolve(true);
  /** The save that starts when the current one has ended. */
  #queued: Promise<boolean> | undefined;
  #complaint = '';

  constructor(options: SessionFileSaverOptions) {
    this.#options = options;
  }

  get fileExists(): boolean {
    return existsSync(this.#options.sessionFile);
  }

  /**
   * Resolves with whether the file contains everything recorded before the call. The current save may have read the
   * trace already, so another one follows it; calls until then share that one.
   */
  save(): Promise<boolean> {
    if (this.#queued !== undefined) return this.#queued;
    this.#queued = this.#last.then(() => this.#saveNow());
    this.#last = this.#queued;
    return this.#queued;
  }

  /** Aborts the current save. The previous file stays. */
  giveUp(): void {
    this.#givingUp.abort(new Error(TOO_LONG));
  }

  /** Reports that saving ran out of time. */
  complainOfTime(): void {
    this.#complain(`Cannot write ${this.#options.sessionFile}: ${TOO_LONG}`);
  }

  async #saveNow(): Promise<boolean> {
    const { tracePath, sessionFile } = this.#options;
    this.#queued = undefined;
    try {
      // Loaded on demand, because a server must start as fast as without mcpreel.
      const { saveSessionFile } = await import('../record/save-session-file.ts');
      await saveSessionFile(tracePath(), sessionFile, this.#givingUp.signal);
      return true;
    } catch (error) {
      this.#complain((error as Error).message);
      return false;
    }
  }

  /** Each message is shown only once, because a periodic save could repeat it every few seconds. */
  #complain(what: string): void {
    if (what === this.#complaint) return;
    this.#complaint = what;
    this.#options.note(`mcpreel: ${what}. Write it with: ${this.#options.remedy}`);
  }
}
