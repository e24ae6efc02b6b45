import type { Readable, Writable } from 'node:stream';
import type { Filter } from '../analysis/filter/filter.ts';
import type { FilterSubject } from '../analysis/filter/filter-subject.ts';
import type { InterceptMode } from '../intercept/held-message.ts';
import type { RuleOutcome } from '../model/rule-outcome.ts';
import type { Rotation } from '../record/trace-recorder.ts';
import type { RedactionRules } from '../redact/redaction-rules.ts';
import type { HeaderPair } from '../transport/http/http-target.ts';
import type { ShutdownPatience } from '../transport/process/shutdown.ts';
import type { TargetProcess } from '../transport/process/target-process.ts';

/** Longer messages are recorded by size and hash alone. */
export const DEFAULT_MAX_MESSAGE_BYTES: number = 128 << 20;

/** Rules that act on messages without a person. */
export interface ActingRules {
  rule(subject: FilterSubject): RuleOutcome | undefined;
  /** How often each has applied. */
  counts(): readonly { readonly name: string; readonly applied: number }[];
}

/** What may stand in the way of messages. */
export interface InterceptionOptions {
  readonly mode?: InterceptMode | undefined;
  /** What is held; everything if absent. */
  readonly filter?: Filter | undefined;
  readonly timeoutMs?: number | undefined;
  /** Whether messages may overtake those that are held, on streams that keep an order. */
  readonly outOfOrder?: boolean | undefined;
  /** Whether what nobody decided on goes no further. */
  readonly failsClosed?: boolean | undefined;
  /** What acts without a person. */
  readonly rules?: ActingRules | undefined;
}

/** What is to be kept of a session, whatever it is that is recorded. */
export interface KeepingOptions {
  readonly label?: string | undefined;
  readonly metadata: Readonly<Record<string, string>>;
  readonly traceFile?: string | undefined;
  /** Whether the trace is kept once the session file is written. */
  readonly keepsTrace?: boolean | undefined;
  /** Whether each conversation has a trace of its own. */
  readonly split?: boolean | undefined;
  readonly sessionFile?: string | undefined;
  readonly saveEveryMs?: number | undefined;
  readonly rotation?: Rotation | undefined;
  readonly maxMessageBytes?: number | undefined;
  /** What never reaches the disk; secrets if absent. What is forwarded stays as it is. */
  readonly redaction?: RedactionRules | undefined;
  /** Whether a session that cannot be recorded must not be. */
  readonly mustRecord?: boolean | undefined;
  readonly interception?: InterceptionOptions | undefined;
}

/** A server that is a program. */
export interface StdioTargetOptions {
  readonly command: readonly string[];
  /** Variables for the server beside those that mcpreel itself was given. Their values are never recorded. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
  readonly patience?: Partial<ShutdownPatience> | undefined;
  /** How long a process that the server left behind may hold its output open. */
  readonly drainMs?: number | undefined;
}

/** How MCP is spoken over HTTP. */
export type HttpTransport = 'sse' | 'streamable-http';

/** A server that has an address. */
export interface HttpTargetChoice {
  readonly transport: HttpTransport;
  readonly url: URL;
  /** Added to every request in place of the client's own of the same name. Never recorded. */
  readonly headers: readonly HeaderPair[];
  /** Certificates to trust instead of the system's, as PEM. */
  readonly ca?: string | undefined;
  /** Whether any certificate will do. */
  readonly insecure?: boolean | undefined;
  /** Whether what OAuth clients read of the resource's address is left as it is. */
  readonly keepsOauth?: boolean | undefined;
  /** Whether the target is told the host that the client asked for. */
  readonly keepsHost?: boolean | undefined;
}

/** Where clients reach mcpreel. */
export interface ListenOptions {
  readonly transport: HttpTransport;
  readonly host: string;
  readonly port: number;
  /** What every request must bring along; required of listeners that others than this machine can reach. */
  readonly token?: string | undefined;
}

export interface StdioCaptureOptions extends KeepingOptions, StdioTargetOptions {}

/** A listener of the same kind as the target. */
export interface HttpCaptureOptions extends KeepingOptions {
  readonly target: HttpTargetChoice;
  readonly listen: ListenOptions;
}

/** Two kinds of transport, or a program behind a listener. */
export interface BridgeCaptureOptions extends KeepingOptions {
  readonly target: ({ readonly transport: 'stdio' } & StdioTargetOptions) | HttpTargetChoice;
  readonly listen: { readonly transport: 'stdio' } | ListenOptions;
}

/** What every session needs of the world around it. */
export interface SessionDeps {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  readonly pid: number;
  readonly stateFolder: string;
  readonly version: string;
  readonly nowMs: () => number;
  readonly newId: () => string;
  /** Calls back for each signal that is for the session; returns the means to stop that. */
  readonly onSignal: (received: (signal: NodeJS.Signals) => void) => () => void;
  /** Has the session end as if such a signal had come; absent where only signals can do that. */
  readonly requestEnd?: (() => void) | undefined;
  /** Resolves when the program that records wants no more; absent where only signals tell that. */
  readonly stopped?: Promise<void> | undefined;
  /** One line for the person who runs this; never on the protocol's stdout. */
  readonly note: (line: string) => void;
  /** Told where the trace is, once it is begun. */
  readonly onRecording?: (tracePath: string) => void;
}

/** What a session with a listener needs beside that. */
export interface ListenerDeps extends SessionDeps {
  /** Told where clients connect, once they can. */
  readonly onListening: (url: string) => void;
}

/** What a session on the process's own streams needs beside that. */
export interface StdioDeps extends SessionDeps {
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** Lets the client see the end of stdout, everything having been written. */
  readonly closeStdout: () => void;
  readonly stderr: Writable;
  /** Starts the server, or gives the one that was started already. */
  readonly startTarget: () => Promise<TargetProcess>;
  /** Whether signals come from a keyboard, which reaches every process of a group. */
  readonly hasTerminal: boolean;
  readonly parentIsGone: () => boolean;
}
