import { existsSync } from 'node:fs';

export interface SessionFileSaverOptions {
  /** The current path of the trace file. */
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
  #waiting = 0;
  #complaint = '';

  constructor(options: SessionFileSaverOptions) {
    this.#options = options;
  }

  get fileExists(): boolean {
    return existsSync(this.#options.sessionFile);
  }

  /** Resolves with whether the file contains everything recorded before the call. */
  save(): Promise<boolean> {
    this.#waiting++;
    this.#last = this.#last.then(() => this.#saveNow()).finally(() => this.#waiting--);
    return this.#last;
  }

  get isSaving(): boolean {
    return this.#waiting > 0;
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
