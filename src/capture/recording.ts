import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { traceFileName } from '../catalog/trace-names.ts';
import { ReelError } from '../model/errors.ts';
import type { SessionHeader } from '../model/session.ts';
import { type Rotation, TraceRecorder } from '../record/trace-recorder.ts';
import { sessionsFolder } from '../state/home.ts';
import { announce, type LiveAnnouncement } from '../state/live-sessions.ts';
import { foreignStateFolder } from '../state/own-state.ts';
import { IS_FOREIGN } from '../state/trusted-folder.ts';

export interface SessionRecordingOptions {
  readonly header: SessionHeader;
  readonly traceFile: string | undefined;
  readonly rotation: Rotation | undefined;
  /** Whether the session must not start or continue without a recording. */
  readonly mustRecord: boolean;
  /** Whether the session must not start if other processes cannot control it. */
  readonly mustControl?: boolean | undefined;
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

/** The trace of a running session, which is announced to other processes. */
export class SessionRecording extends TraceRecorder {
  readonly #announcement: LiveAnnouncement | undefined;

  /** Throws only if `mustRecord` or `mustControl` is set and that is impossible. */
  constructor(options: SessionRecordingOptions) {
    const { header, traceFile, rotation, mustRecord, stateFolder, pid, machine, note, onLines } = options;
    const { id, startedAtMs, label } = header;
    const path = traceFile ?? join(sessionsFolder(stateFolder), traceFileName(startedAtMs, label, id));
    let failure = '';
    const onFailure = (reason: string): void => {
      failure = reason;
      if (!mustRecord) note(`mcpreel: Recording paused: cannot write ${path}: ${reason}`);
      options.onFailure(reason);
    };
    const folder = traceFile === undefined ? foreignStateFolder(stateFolder, 'sessions') : undefined;
    super({ path, header, rotation, onFailure, onLines, refusal: folder && `${folder} ${IS_FOREIGN}` });
    if (mustRecord && !this.isRecording) {
      throw new ReelError('file-unwritable', `Not started: cannot write ${path}: ${failure}`, {
        hint: 'Record to another file with --trace-file, or remove --must-record.',
      });
    }
    if (this.path !== path && isOddPlace(path)) note(`mcpreel: Recording to ${this.path}: ${path} is not a file`);
    this.#announcement = announce(stateFolder, { id, pid, startedAtMs, label, trace: this.path }, machine, (reason) => {
      if (options.mustControl) throw uncontrolled(reason);
      // A folder that is not used was already reported.
      if (folder === undefined) note(`mcpreel: ${UNCONTROLLED}: ${reason}`);
    });
  }

  /** The session's control socket, if it has one. */
  get place(): { readonly socket: string; readonly token: string } | undefined {
    const { socket, token } = this.#announcement ?? {};
    return socket === undefined || token === undefined ? undefined : { socket, token };
  }

  /** Removes the announcement of the session. */
  withdraw(): void {
    this.#announcement?.withdraw();
  }
}

/** For an existing file, another name is chosen silently. A folder or a link is most likely a mistake. */
function isOddPlace(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === false;
}

/** What users are told if there is no control socket. */
export const UNCONTROLLED = 'Other processes cannot watch or control this session';

function uncontrolled(reason: string): ReelError {
  return new ReelError('cannot-listen', `Not started: held messages could not be released: ${reason}`, {
    hint: 'Set MCPREEL_HOME to your own folder, or remove --intercept, --hold and --fail-closed.',
  });
}
