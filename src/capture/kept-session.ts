import { rm } from 'node:fs/promises';
import type { Entry } from '../model/entry.ts';
import type { SessionHeader } from '../model/session.ts';
import { partsOf } from '../record/trace-parts.ts';
import type { Redactor } from '../redact/redactor.ts';
import { endsWithin } from '../transport/time-limit.ts';
import type { KeepingOptions, SessionDeps } from './capture-options.ts';
import { ExitDeadline } from './exit-deadline.ts';
import { PendingRequests } from './pending-requests.ts';
import { SessionRecording } from './recording.ts';
import { SessionFileSaver } from './session-file-saver.ts';
import { footerFor, type SessionEnding } from './session-header.ts';
import { SplitRecording } from './split-recording.ts';

/** What may be spent on saving after a signal, and on clearing up when that was too little. */
const SAVE_MS = 1500;
const CLEAR_UP_MS = 200;

/** All that is kept of a running session: its trace or traces, and its session file if one was asked for. */
export class KeptSession {
  /** Told of lines of the trace, the first of which has this number. */
  onLines: ((firstSeq: number, text: string) => void) | undefined;
  readonly #header: SessionHeader;
  readonly #options: KeepingOptions;
  readonly #deps: SessionDeps;
  readonly #recording: SessionRecording | SplitRecording;
  readonly #saver: SessionFileSaver | undefined;
  readonly #savingTimer: NodeJS.Timeout | undefined;
  readonly #deadline = new ExitDeadline(SAVE_MS);
  /** Only where it decides when a server is killed. */
  readonly #unanswered: PendingRequests | undefined;

  /** Throws only where the session must be recorded and cannot be. `onFailure` hears of a recording that fails. */
  constructor(
    header: SessionHeader,
    options: KeepingOptions,
    deps: SessionDeps,
    redactor: Redactor | undefined,
    onFailure: (reason: string) => void,
  ) {
    const { traceFile, rotation, mustRecord = false, saveEveryMs } = options;
    const { stateFolder, pid, note, newId } = deps;
    this.#header = header;
    this.#options = options;
    this.#deps = deps;
    const recorded = {
      header,
      redactor,
      traceFile,
      rotation,
      mustRecord,
      stateFolder,
      pid,
      machine: deps,
      note,
      onFailure,
      onLines: (firstSeq: number, text: string) => this.onLines?.(firstSeq, text),
    };
    this.#recording = options.split ? new SplitRecording({ ...recorded, newId }) : new SessionRecording(recorded);
    if (this.#recording.isRecording) deps.onRecording?.(this.#recording.path);
    this.#saver = this.#newSaver();
    this.#unanswered = deps.platform === 'win32' ? new PendingRequests() : undefined;
    if (saveEveryMs !== undefined) this.#savingTimer = setInterval(() => this.saveMeanwhile(), saveEveryMs);
  }

  get id(): string {
    return this.#header.id;
  }

  get tracePath(): string {
    return this.#recording.path;
  }

  /** Where the session can be spoken to, if there is such a place. */
  get place(): SessionRecording['place'] {
    return this.#recording.place;
  }

  /** The number that the next line of the trace will have. */
  get nextSeq(): number {
    return this.#recording.nextSeq;
  }

  /** Whether the client has done nothing but ask what the server can do. */
  get isProbeOnly(): boolean {
    return this.#recording.isProbeOnly;
  }

  /** Whether the client waits for an answer, as far as that is known. */
  get hasOpenRequests(): boolean {
    return this.#unanswered?.any === true;
  }

  append(entries: readonly Entry[]): void {
    this.#recording.append(entries);
    this.#unanswered?.see(entries);
  }

  /** Somebody wants the session to end: what there is is saved at once, and there will not be much time later. */
  signalled(): void {
    this.#deadline.signalled();
    this.saveMeanwhile();
  }

  /** Writes all that was recorded so far into a session file. */
  async saveAs(path: string): Promise<void> {
    const { saveSessionFile } = await import('../record/save-session-file.ts');
    await saveSessionFile(this.#recording.path, path);
  }

  /** Resolves when everything is kept, or the time for it is up. */
  async end(status: SessionEnding): Promise<void> {
    clearInterval(this.#savingTimer);
    this.#deadline.serverEnded();
    const kept = this.#keep(status);
    await Promise.race([kept, this.#deadline.isOver.then(() => this.#giveUp(kept))]);
    this.#deadline.close();
    this.#recording.withdraw();
  }

  /**
   * Writes what there is into the session file, if there is to be one. A session that may turn out to be a probe must not
   * replace one that is worth keeping.
   */
  saveMeanwhile(): void {
    const saver = this.#saver;
    if (saver === undefined || saver.isSaving) return;
    if (this.#recording.hasTalked || !saver.fileExists) void saver.save();
  }

  #newSaver(): SessionFileSaver | undefined {
    const { sessionFile, traceFile } = this.#options;
    if (sessionFile === undefined) return undefined;
    const remedy =
      traceFile === undefined
        ? `mcpreel sessions recover ${this.#header.id.slice(0, 8)}`
        : `mcpreel export ${this.#recording.path} -f json -o ${sessionFile}`;
    return new SessionFileSaver({
      tracePath: () => this.#recording.path,
      sessionFile,
      remedy,
      note: this.#deps.note,
    });
  }

  async #keep(status: SessionEnding): Promise<void> {
    const { isProbeOnly } = this.#recording;
    await this.#recording.close(footerFor(status, this.#header, this.#deps.nowMs(), isProbeOnly));
    // A session worth keeping may have been saved there: a client that probes talks in another process.
    if (this.#saver === undefined || (isProbeOnly && this.#saver.fileExists)) return;
    const isSaved = await this.#saver.save();
    if (isSaved && this.#options.keepsTrace === false) await this.#removeTrace();
  }

  async #removeTrace(): Promise<void> {
    for (const part of await partsOf(this.#recording.path)) await rm(part, { force: true });
  }

  async #giveUp(kept: Promise<void>): Promise<void> {
    this.#saver?.giveUp();
    const isClear = await endsWithin(kept, CLEAR_UP_MS);
    if (!isClear) this.#saver?.complainOfTime();
  }
}
