import type { ReadProblem } from '../../formats/format.ts';
import { ReelError } from '../../model/errors.ts';
import { oneLine } from '../../present/visible-text.ts';
import type { DirectOutput } from '../command-run.ts';

const MAX_SHOWN = 20;

/** Reports the unreadable parts of a file, one line each up to a limit. With `--strict` the first one throws. */
export class ProblemReport {
  count = 0;
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

  readonly add = ({ file, place, what, contract }: ReadProblem & { readonly file: string }): void => {
    if (this.#holdsContract && contract !== undefined)
      throw new ReelError('transcript-invalid', `${file}: ${contract}`);
    const line = oneLine(`${file}: ${place}: ${what}`);
    if (this.#strict) throw new ReelError('session-invalid', line);
    this.count++;
    if (this.count <= MAX_SHOWN) this.#output.note(line);
  };

  /** Prints how many were not shown. */
  close(): void {
    const hidden = this.count - MAX_SHOWN;
    if (hidden > 0) this.#output.note(`… and ${hidden} more like these.`);
  }
}
