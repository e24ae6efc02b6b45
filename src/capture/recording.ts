import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { traceFileName } from '../catalog/trace-names.ts';
import type { Entry } from '../model/entry.ts';
import { ReelError } from '../model/errors.ts';
import type { SessionFooter, SessionHeader } from '../model/session.ts';
import { type Rotation, TraceRecorder } from '../record/trace-recorder.ts';
import type { Redactor } from '../redact/redactor.ts';
import { sessionsFolder } from '../state/home.ts';
import { announce, type LiveAnnouncement } from '../state/live-sessions.ts';
import { ProbeWatch } from './probe-watch.ts';

export interface SessionRecordingOptions {
  readonly header: SessionHeader;
  /** Redacts everything before it is written. */
  readonly redactor: Redactor | undefined;
  readonly traceFile: string | undefined;
  readonly rotation: Rotation | undefined;
  /** Whether the session must not start or continue without a recording. */
  readonly mustRecord: boolean;
  readonly stateFolder: string;
  readonly pid: number;
  /** Determines the path of the control socket; no socket if absent. */
  readonly machine: Parameters<typeof announce>[2];
  readonly note: (line: string) => void;
  /** Called when recording fails. */
  readonly onFailure: (reason: string) => void;
  /** Called when lines are appended to the trace file. `firstSeq` is the number of the first one. */
  readonly onLines?: ((firstSeq: number, text: string) => void) | undefined;
}

/** Writes the trace file of a running session, and announces the session to other processes. */
export class SessionRecording {
  readonly #recorder: TraceRecorder;
  readonly #redactor: Redactor | undefined;
  readonly #probe = new ProbeWatch();
  readonly #announcement: LiveAnnouncement | undefined;

  /** Throws only if `mustRecord` is set and recording is impossible. */
  constructor(options: SessionRecordingOptions) {
    const { redactor, traceFile, rotation, mustRecord, stateFolder, pid, machine, note, onLines } = options;
    const header = redactor?.header(options.header) ?? options.header;
    this.#redactor = redactor;
    const name = traceFileName(header.startedAtMs, header.label, header.id);
    const path = traceFile ?? join(sessionsFolder(stateFolder), name);
    let failure = '';
    const onFailure = (reason: string): void => {
      failure = reason;
      if (!mustRecord) note(`mcpreel: Not recording for now: cannot write ${path}: ${reason}`);
      options.onFailure(reason);
    };
    this.#recorder = new TraceRecorder({ path, header, rotation, onFailure, onLines });
    if (mustRecord && !this.#recorder.isRecording) {
      throw new ReelError('file-unwritable', `Not started: cannot write ${path}: ${failure}`, {
        hint: 'Record to another file with --trace-file, or go without --must-record.',
      });
    }
    if (this.path !== path && isOddPlace(path)) note(`mcpreel: Recording to ${this.path}: ${path} is not a file`);
    const { id, startedAtMs, label } = header;
    this.#announcement = announce(stateFolder, { id, pid, startedAtMs, label, trace: this.path }, machine);
  }

  /** The file being written. */
  get path(): string {
    return this.#recorder.path;
  }

  /** The session's control socket, if it has one. */
  get place(): { readonly socket: string; readonly token: string } | undefined {
    const { socket, token } = this.#announcement ?? {};
    return socket === undefined || token === undefined ? undefined : { socket, token };
  }

  get nextSeq(): number {
    return this.#recorder.nextSeq;
  }

  get isRecording(): boolean {
    return this.#recorder.isRecording;
  }

  get hasTalked(): boolean {
    return this.#probe.hasTalked;
  }

  get isProbeOnly(): boolean {
    return this.#probe.isProbeOnly;
  }

  append(entries: readonly Entry[]): void {
    this.#recorder.append(this.#withoutSecrets(entries));
    this.#probe.see(entries);
  }

  /** Resolves when the whole trace is written. */
  close(footer: SessionFooter): Promise<void> {
    return this.#recorder.close(this.#redactor?.footer(footer) ?? footer);
  }

  /** Removes the announcement of the session. */
  withdraw(): void {
    this.#announcement?.withdraw();
  }

  #withoutSecrets(entries: readonly Entry[]): readonly Entry[] {
    const redactor = this.#redactor;
    if (redactor === undefined) return entries;
    let kept: Entry[] | undefined;
    for (let index = 0; index < entries.length; index++) {
      const entry = entries[index] as Entry;
      const redacted = redactor.entry(entry);
      // Most entries need no redaction, and then nothing is copied.
      if (redacted !== entry) kept ??= entries.slice(0, index);
      kept?.push(redacted);
    }
    return kept ?? entries;
  }
}

/** For an existing file, another name is chosen silently. A folder or a link is most likely a mistake. */
function isOddPlace(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === false;
}
