import type { Readable, Writable } from 'node:stream';
import type { InterceptionOptions } from '../intercept/interception.ts';
import type { Rotation } from '../record/trace-recorder.ts';
import type { RedactionRules } from '../redact/redaction-rules.ts';
import type { ListenOptions } from '../transport/http/http-listener.ts';
import type { HttpTargetChoice, StdioTargetOptions, TargetChoice } from '../transport/outbound/connect-target.ts';
import type { TargetProcess } from '../transport/process/target-process.ts';

/** Options for recording and saving a session, for every transport. */
export interface KeepingOptions {
  readonly label?: string | undefined;
  readonly metadata: Readonly<Record<string, string>>;
  readonly traceFile?: string | undefined;
  /** Whether the trace file is kept after the session file is written. */
  readonly keepsTrace?: boolean | undefined;
  /** Whether each conversation gets its own trace file. */
  readonly split?: boolean | undefined;
  readonly sessionFile?: string | undefined;
  readonly saveEveryMs?: number | undefined;
  readonly rotation?: Rotation | undefined;
  readonly maxMessageBytes?: number | undefined;
  /** What is redacted before it is written to disk; secrets if absent. Forwarded messages are not changed. */
  readonly redaction?: RedactionRules | undefined;
  /** Whether the session must not start or continue without a recording. */
  readonly mustRecord?: boolean | undefined;
  readonly interception?: InterceptionOptions | undefined;
  /** When traffic over stdio is recorded; `journal` if absent. */
  readonly safety?: RecordingSafety | undefined;
}

/**
 * When traffic is recorded: later, from a journal that has it before it is forwarded; before it is forwarded; or at once
 * after that.
 */
export type RecordingSafety = 'journal' | 'durable' | 'none';

export interface StdioCaptureOptions extends KeepingOptions, StdioTargetOptions {}

/** A listener with the same transport as the target. */
export interface HttpCaptureOptions extends KeepingOptions {
  readonly target: HttpTargetChoice;
  readonly listen: ListenOptions;
}

/** A listener and a target with different transports, or a child process behind a listener. */
export interface BridgeCaptureOptions extends KeepingOptions {
  readonly target: TargetChoice;
  readonly listen: { readonly transport: 'stdio' } | ListenOptions;
}

/** What every session needs from its environment. */
export interface SessionDeps {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  readonly pid: number;
  readonly stateFolder: string;
  readonly version: string;
  readonly nowMs: () => number;
  readonly newId: () => string;
  /** Calls back for each signal to the session. Returns a function that stops this. */
  readonly onSignal: (received: (signal: NodeJS.Signals) => void) => () => void;
  /** Ends the session as if a signal had arrived; absent if only signals can end it. */
  readonly requestEnd?: (() => void) | undefined;
  /** Resolves when the embedding program stops the recording; absent if only signals do. */
  readonly stopped?: Promise<void> | undefined;
  /** Shows one line to the user; never on stdout, which carries the protocol. */
  readonly note: (line: string) => void;
  /** Whether a journal may be written; not for an embedding program. */
  readonly mayJournal?: boolean | undefined;
  /** The script of the thread that reads long lines; absent if they are read in this one. */
  readonly longLineScript?: string | undefined;
  /** Called with the path of the trace file, once it exists. */
  readonly onRecording?: (tracePath: string) => void;
}

/** What a session with a listener needs in addition. */
export interface ListenerDeps extends SessionDeps {
  /** Called with the address for clients, once it accepts connections. */
  readonly onListening: (url: string) => void;
}

/** What a session on mcpreel's own stdin and stdout needs in addition. */
export interface StdioDeps extends SessionDeps {
  readonly stdin: Readable;
  /**
   * Closes stdin, so that the client's writes fail, if everything the client has sent was read. Otherwise reads that,
   * and returns false. Closes it in any case with `atOnce`.
   */
  readonly closeStdin: (atOnce: boolean) => boolean;
  readonly stdout: Writable;
  /** Closes stdout for the client, after everything was written. */
  readonly closeStdout: () => void;
  readonly stderr: Writable;
  /** Starts the server, or returns the one that was already started. */
  readonly startTarget: () => Promise<TargetProcess>;
  /** Whether signals come from a terminal, which signals every process of the group. */
  readonly hasTerminal: boolean;
  readonly parentIsGone: () => boolean;
  /** Called when the server has answered for the first time: the time for work that must not delay the start. */
  readonly afterFirstAnswer?: (() => void) | undefined;
}
