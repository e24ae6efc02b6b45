import type { ReadProblem } from '../../formats/format.ts';
import { ReelError } from '../../model/errors.ts';
import { oneLine } from '../../present/visible-text.ts';
import type { DirectOutput } from '../command-run.ts';

const MAX_SHOWN = 20;

/**
 * Reports the unreadable parts of one file, one line each up to a limit. With `--strict` the first one throws, unless
 * the format asks readers to pass over it.
 */
export class ProblemReport {
  count = 0;
  /** The number of parts that were skipped. */
  skipped = 0;
  #first: { readonly file: string; readonly reason: string } | undefined;
  readonly #output: Pick<DirectOutput, 'note'>;
  readonly #strict: boolean;
  readonly #holdsContract: boolean;

  /** With `holdsContract`, a file that violates the import contract throws with that contract's wording. */
  constructor(
    output: Pick<DirectOutput, 'note'>,
    { strict = false, holdsContract = false }: { strict?: boolean; holdsContract?: boolean },
  ) {
    this.#output = output;
    this.#strict = strict;
    this.#holdsContract = holdsContract;
  }

  /** How many parts of the file were skipped, and why the first was; `undefined` if none was. */
  get summary(): string | undefined {
    if (this.#first === undefined) return undefined;
    const { file, reason } = this.#first;
    const what = this.skipped === 1 ? '1 part' : `${this.skipped} parts`;
    return oneLine(`${what} of ${file} could not be read; the first: ${reason}`);
  }

  readonly add = ({ file, place, what, effect, contract }: ReadProblem & { readonly file: string }): void => {
    if (this.#holdsContract && contract !== undefined)
      throw new ReelError('transcript-invalid', `${file}: ${contract}`);
    const line = oneLine(`${file}: ${place}: ${what}`);
    if (this.#strict && effect !== 'allowed') throw new ReelError('session-invalid', line);
    this.count++;
    if (effect === undefined) {
      this.skipped++;
      this.#first ??= { file, reason: `${place}: ${what}` };
    }
    if (this.count <= MAX_SHOWN) this.#output.note(line);
  };

  /** Prints how many were not shown and, if there were several, how many parts were skipped. */
  close(): void {
    const hidden = this.count - MAX_SHOWN;
    if (hidden > 0) this.#output.note(`… and ${hidden} more like these.`);
    if (this.summary !== undefined && this.skipped > 1) this.#output.note(this.summary);
  }
}
