import type { Readable } from 'node:stream';
import type { Output } from './output.ts';

/** What a command runs with. */
export interface Context {
  readonly output: Output;
  readonly stdin: Readable;
  readonly stateFolder: string;
  /** Where the built program is. */
  readonly programFolder: string;
}
