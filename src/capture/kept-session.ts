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

/** Time limits after a signal: for saving, and then for cleaning up if saving did not finish. */
const SAVE_MS = 1500;
const CLEAR_UP_MS = 200;

/** Everything saved of a running session: its trace files, and its session file if requested. */
export class KeptSession {
  /** Called when lines are appended to the trace file. `firstSeq` is the number of the first one. */
  onLines: ((firstSeq: number, text: string) => void) | undefined;
  readonly #header: SessionHeader;
  readonly #options: KeepingOptions;
  readonly #deps: SessionDeps;
  readonly #recording: SessionRecording | SplitRecording;
  readonly #saver: SessionFileSaver | undefined;
  readonly #savingTimer: NodeJS.Timeout | undefined;
  readonly #deadline = new ExitDeadline(SAVE_MS);
  /** Used only on Windows, where it decides when the server is killed. */
  readonly #unanswered: PendingRequests | undefined;

  /** Throws only if `mustRecord` is set and recording is impossible. Calls `onFailure` when recording fails. */
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
    if (saveEveryMs !== undefined) this.#savingTimer = setInterval(() => this.#savePeriodically(), saveEveryMs);
  }

  get id(): string {
    return this.#header.id;
  }

  get tracePath(): string {
    return this.#recording.path;
  }

  /** The session's control socket, if it has one. */
  get place(): SessionRecording['place'] {
    return this.#recording.place;
  }

  /** The number of the next line of the trace file. */
  get nextSeq(): number {
    return this.#recording.nextSeq;
  }

  /** Whether the client has only probed the server. */
  get isProbeOnly(): boolean {
    return this.#recording.isProbeOnly;
  }

  /** Whether the client waits for an answer, as far as known. */
  get hasOpenRequests(): boolean {
    return this.#unanswered?.any === true;
  }

  append(entries: readonly Entry[]): void {
    this.#recording.append(entries);
    this.#unanswered?.see(entries);
  }

  /** A signal arrived. Saves at once, because there may be little time later. */
  signalled(): void {
    this.#deadline.signalled();
    this.saveMeanwhile();
  }

  /** Writes everything recorded so far into a session file. */
  async saveAs(path: string): Promise<void> {
    const { saveSessionFile } = await import('../record/save-session-file.ts');
    await saveSessionFile(this.#recording.path, path);
  }

  /** Resolves when everything is saved, or the time limit has passed. */
  async end(status: SessionEnding): Promise<void> {
    clearInterval(this.#savingTimer);
    this.#deadline.serverEnded();
    const kept = this.#keep(status);
    await Promise.race([kept, this.#deadline.isOver.then(() => this.#giveUp(kept))]);
    this.#deadline.close();
    this.#recording.withdraw();
  }

  /**
   * Saves the current state to the session file, if one was requested. A session that may turn out to be a probe must
   * not overwrite an existing file.
   */
  saveMeanwhile(): void {
    const saver = this.#saver;
    if (saver === undefined) return;
    if (this.#recording.hasTalked || !saver.fileExists) void saver.save();
  }

  /** Skipped during a save, so that slow saves do not follow each other without a pause. */
  #savePeriodically(): void {
    if (this.#saver?.isSaving !== true) this.saveMeanwhile();
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
    // An existing file may hold a real session: a client probes in a separate process.
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
