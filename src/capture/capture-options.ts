import type { Readable, Writable } from 'node:stream';
import type { Rotation } from '../record/trace-recorder.ts';
import type { RedactionRules } from '../redact/redaction-rules.ts';
import type { Patience } from '../transport/shutdown.ts';
import type { TargetProcess } from '../transport/target-process.ts';

/** What the user asked for. */
export interface StdioCaptureOptions {
  readonly command: readonly string[];
  readonly label?: string | undefined;
  readonly metadata: Readonly<Record<string, string>>;
  /** Variables for the server beside those that mcpreel itself was given. Their values are never recorded. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
  readonly traceFile?: string | undefined;
  /** Whether the trace is kept once the session file is written. */
  readonly keepsTrace?: boolean | undefined;
  readonly sessionFile?: string | undefined;
  readonly saveEveryMs?: number | undefined;
  readonly rotation?: Rotation | undefined;
  readonly maxMessageBytes?: number | undefined;
  /** What never reaches the disk; secrets if absent. What is forwarded stays as it is. */
  readonly redaction?: RedactionRules | undefined;
  /** Whether a session that cannot be recorded must not be. */
  readonly mustRecord?: boolean | undefined;
  readonly patience?: Partial<Patience> | undefined;
  /** How long a process that the server left behind may hold its output open. */
  readonly drainMs?: number | undefined;
}

/** What the session runs in. */
export interface CaptureSurroundings {
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** Lets the client see the end of stdout, everything having been written. */
  readonly closeStdout: () => void;
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  readonly pid: number;
  /** Starts the server, or gives the one that was started already. */
  readonly startTarget: () => Promise<TargetProcess>;
  /** Whether signals come from a keyboard, which reaches every process of a group. */
  readonly hasTerminal: boolean;
  readonly parentIsGone: () => boolean;
  readonly stateFolder: string;
  readonly version: string;
  readonly nowMs: () => number;
  readonly newId: () => string;
  /** Calls back for each signal that is for the server; returns the means to stop that. */
  readonly onSignal: (heard: (signal: NodeJS.Signals) => void) => () => void;
  /** One line for the person who runs this; never on the protocol's stdout. */
  readonly note: (line: string) => void;
  /** Told where the trace is, once it is begun. */
  readonly onRecording?: (tracePath: string) => void;
}
