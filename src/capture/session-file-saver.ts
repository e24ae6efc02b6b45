import { existsSync } from 'node:fs';

export interface SessionFileSaverOptions {
  /** Where the trace is written at the moment. */
  readonly tracePath: () => string;
  readonly sessionFile: string;
  /** The command that makes up for a file that could not be written. */
  readonly remedy: string;
  readonly note: (line: string) => void;
}

const TOO_LONG = 'it took too long';

/** Keeps the session file up to date with the trace. Saves run one after the other. */
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

  /** Resolves with whether the file holds all that was recorded when this was called. */
  save(): Promise<boolean> {
    this.#waiting++;
    this.#last = this.#last.then(() => this.#saveNow()).finally(() => this.#waiting--);
    return this.#last;
  }

  get isSaving(): boolean {
    return this.#waiting > 0;
  }

  /** Ends whatever is being saved. What was saved before stays. */
  giveUp(): void {
    this.#givingUp.abort(new Error(TOO_LONG));
  }

  /** Says that there was no time left. */
  complainOfTime(): void {
    this.#complain(`Cannot write ${this.#options.sessionFile}: ${TOO_LONG}`);
  }

  async #saveNow(): Promise<boolean> {
    const { tracePath, sessionFile } = this.#options;
    try {
      // The readers of recordings are loaded when they are needed: a server must start as fast as without us.
      const { saveSessionFile } = await import('../record/save-session-file.ts');
      await saveSessionFile(tracePath(), sessionFile, this.#givingUp.signal);
      return true;
    } catch (error) {
      this.#complain((error as Error).message);
      return false;
    }
  }

  /** The same words are said once: whoever reads them may read them every few seconds otherwise. */
  #complain(what: string): void {
    if (what === this.#complaint) return;
    this.#complaint = what;
    this.#options.note(`mcpreel: ${what}. Write it with: ${this.#options.remedy}`);
  }
}
