import type { Readable } from 'node:stream';
import type { FileSource } from '../files/file-source.ts';
import type { CommandRun, DirectOutput } from './command-run.ts';

/** What a command runs with. */
export interface CommandEnvironment extends CommandContext {
  /** Prints what a command yields, and keeps its exit code for the program. */
  readonly execute: (run: CommandRun) => Promise<void>;
  /** Shows how far work is, where a person watches. */
  readonly progress?: ProgressReporter | undefined;
}

/** What the program itself is given: all that a command may know of its process is in here. */
export interface CommandContext extends ProcessFacts {
  readonly direct: DirectOutput;
  readonly stdin: InputStream;
  readonly terminal: ResultTerminal;
  readonly stateFolder: string;
  /** Where the built program is. */
  readonly programFolder: string;
}

/** The parts of `process` that commands use. */
export interface ProcessFacts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** The processor's architecture, such as `x64`. */
  readonly arch: string;
  /** A function because it fails where the folder was removed, which only some commands need to know. */
  readonly cwd: () => string;
  readonly homeFolder: string;
  /** The user's number, on systems that have them. */
  readonly uid: number | undefined;
  /** The Node.js that runs mcpreel. */
  readonly node: { readonly version: string; readonly path: string };
  /** As `process.kill`. */
  readonly kill: (pid: number, signal: NodeJS.Signals | 0) => unknown;
  /** Stdin and stdout for the commands that use them as a screen or for a protocol. */
  readonly ownStreams: () => ProcessStreams;
}

/** A stream to read from, which may be a terminal. */
export type InputStream = Readable & { readonly isTTY?: boolean | undefined };

export interface ProcessStreams {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
}

/** Where results appear. Nothing of it is read before a command asks: behind a client, stdout belongs to the protocol. */
export interface ResultTerminal {
  /** Whether a person looks at the results as they are printed. */
  readonly isTerminal: boolean;
  /** How many characters fit on a line, where that is known. */
  readonly columns: number | undefined;
  readonly hasColour: boolean;
}

/** Watches work that may take long. */
export interface ProgressReporter {
  /** Which of several files comes next, from 1. */
  turnTo(number: number, count: number): void;
  /** The same source, watched. */
  source(source: FileSource): FileSource;
  /** The same stream, watched. */
  stream(stream: AsyncIterable<Uint8Array>, name: string): AsyncIterable<Uint8Array>;
  /** To be called for each of so many messages of a session that were replayed. */
  replaying(name: string, total: number): () => void;
}
