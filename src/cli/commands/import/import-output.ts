import { basename, dirname, extname, join, resolve } from 'node:path';
import { isPipe } from '../../../files/pipe-stream.ts';
import { usage } from '../../flags/flag-values.ts';
import { isStandardOutput } from '../shared/deliver.ts';

/** The flags that determine where an import writes, and in which form. */
export interface ImportOutputFlags {
  readonly outTrace?: string;
  readonly outDir?: string;
  readonly to?: 'trace' | 'session';
  readonly output?: string;
}

/** The output path; `undefined` for standard output. */
export function outputFor(file: string, { to, outTrace, output, outDir }: ImportOutputFlags): string | undefined {
  const given = outTrace ?? output;
  if (given !== undefined) return isStandardOutput(given) ? undefined : given;
  // The folder of a process substitution is not one for results.
  if ((file === '-' || isPipe(file)) && outDir === undefined) return undefined;
  const name = `${stemOf(file)}${to === undefined ? '.trace.jsonl' : to === 'trace' ? '.jsonl' : '.session.json'}`;
  return join(outDir ?? dirname(file), name);
}

/** Standard input and process substitutions, whose names are only numbers. */
const UNNAMED = /^\/(?:dev|proc\/self)\/(?:stdin$|fd\/\d+$)/;

/** The file name without folder and extension. */
export function stemOf(file: string): string {
  return file === '-' || UNNAMED.test(file) ? 'stdin' : basename(file, extname(file));
}

/** Throws on contradicting flags, and on results that would overwrite another file of this import. */
export function refuseContradictions(files: readonly string[], flags: ImportOutputFlags): void {
  if (flags.outTrace !== undefined && flags.output !== undefined) {
    throw usage('-o and --out-trace cannot be used together', 'Use one of them.');
  }
  if (flags.to !== undefined && flags.outTrace !== undefined) {
    throw usage('--out-trace and --to cannot be used together', 'Use -o.');
  }
  if (flags.outDir === '-') {
    throw usage('--out-dir must be a folder, found -', 'Use -o - for standard output, or ./- for such a folder.');
  }
  const single = flags.outTrace ?? flags.output;
  if (single !== undefined && flags.outDir !== undefined)
    throw usage(
      `${flags.output === undefined ? '--out-trace' : '-o'} and --out-dir cannot be used together`,
      'Use one of them.',
    );
  if (single !== undefined && files.length > 1)
    throw usage(`${files.length} inputs cannot be written to one file, ${single}`, 'Use --out-dir.');
  // A file that the user names is meant to be overwritten.
  if (single === undefined) refuseCollisions(files, flags);
}

function refuseCollisions(files: readonly string[], flags: ImportOutputFlags): void {
  const inputs = new Set(files.map((file) => resolve(file)));
  const results = new Map<string, string>();
  for (const file of files) {
    const target = outputFor(file, flags);
    if (target === undefined) continue;
    const other = results.get(resolve(target));
    if (other !== undefined)
      throw usage(`${other} and ${file} would both be written to ${target}`, 'Import one at a time.');
    if (inputs.has(resolve(target))) {
      const flag = files.length > 1 ? '--out-dir' : flags.to === undefined ? '--out-trace' : '-o';
      throw usage(`The output would overwrite its input ${target}`, `Name another file with ${flag}.`);
    }
    results.set(resolve(target), file);
  }
}
