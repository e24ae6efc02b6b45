import type { Readable } from 'node:stream';
import type { FileSource } from '../state/file-source.ts';
import type { Output } from './output.ts';

/** What a command runs with. */
export interface Context {
  readonly output: Output;
  readonly stdin: Readable;
  readonly stateFolder: string;
  /** Where the built program is. */
  readonly programFolder: string;
  /** Shows how far work is, where a person watches. */
  readonly progress?: Progress | undefined;
}

/** Watches work that may take long. */
export interface Progress {
  /** Which of several files comes next, from 1. */
  turnTo(number: number, count: number): void;
  /** The same source, watched. */
  source(source: FileSource): FileSource;
  /** The same stream, watched. */
  stream(stream: AsyncIterable<Uint8Array>, name: string): AsyncIterable<Uint8Array>;
  /** To be called for each of so many messages of a session that were replayed. */
  replaying(name: string, total: number): () => void;
}
