import type { Readable } from 'node:stream';
import type { FileSource } from '../files/file-source.ts';
import type { CommandRun, DirectOutput } from './command-run.ts';

/** The environment that a command runs in. */
export interface CommandEnvironment extends CommandContext {
  /** Prints the output of a command and stores its exit code for the program. */
  readonly execute: (run: CommandRun) => Promise<void>;
  /** Shows progress, if stderr is a terminal. */
  readonly progress?: ProgressReporter | undefined;
}

/** The environment of the program: all that a command may know about its process. */
export interface CommandContext extends ProcessFacts {
  readonly direct: DirectOutput;
  readonly stdin: InputStream;
  readonly terminal: ResultTerminal;
  readonly stateFolder: string;
  /** The folder of the built program. */
  readonly programFolder: string;
}

/** The parts of `process` that commands use. */
export interface ProcessFacts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** The processor's architecture, such as `x64`. */
  readonly arch: string;
  /** A function, because it throws if the folder was removed, which matters only to some commands. */
  readonly cwd: () => string;
  readonly homeFolder: string;
  /** The user id, on systems that have one. */
  readonly uid: number | undefined;
  /** The Node.js that runs mcpreel. */
  readonly node: { readonly version: string; readonly path: string };
  /** The id of this process. */
  readonly pid: number;
  /** Works like `process.kill`. */
  readonly kill: (pid: number, signal: NodeJS.Signals | 0) => unknown;
  /** The streams themselves, for commands that use them as a screen, for a question or for a protocol. */
  readonly ownStreams: () => ProcessStreams;
}

/** A readable stream that may be a terminal. */
export type InputStream = Readable & { readonly isTTY?: boolean | undefined };

export interface ProcessStreams {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

/** The terminal for results. Its properties are read only on demand: under a client, stdout belongs to the protocol. */
export interface ResultTerminal {
  readonly isTerminal: boolean;
  /** The number of characters per line, if known. */
  readonly columns: number | undefined;
  readonly hasColour: boolean;
}

/** Reports the progress of long work. */
export interface ProgressReporter {
  /** Announces the next of several files, from 1. */
  turnTo(number: number, count: number): void;
  /** The same source, with progress reported. */
  source(source: FileSource): FileSource;
  /** The same stream, with progress reported. */
  stream(stream: AsyncIterable<Uint8Array>, name: string): AsyncIterable<Uint8Array>;
  /** Returns a function to call for each of `total` replayed messages. */
  replaying(name: string, total: number): () => void;
}
