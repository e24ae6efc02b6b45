import { isDeepStrictEqual } from 'node:util';
import { ReelError } from '../model/errors.ts';
import type { InstallClient } from './client.ts';
import { readConfig } from './config-syntax.ts';
import { type ServerEntry, type StdioEntry, wordsOf } from './server-entry.ts';

/**
 * Reads an edited config file again and compares it with the original. Only the command line of the one entry may
 * differ, and it must consist of exactly these words.
 */
export function checkEdit(
  client: InstallClient,
  before: string,
  after: string,
  entry: StdioEntry,
  words: readonly string[],
): StdioEntry {
  const old = readConfig(client, before);
  const edited = readConfig(client, after);
  const found = entryAt(edited.entries, entry.path);
  const isAsMeant =
    found?.kind === 'stdio' &&
    isDeepStrictEqual(wordsOf(found), words) &&
    isSameApartFrom(old.data, edited.data, entry.owner, [entry.programKey, 'args']);
  if (!isAsMeant) throw unsafeEdit(entry.path);
  return found;
}

/** Creates the error for an entry that cannot be edited safely. */
export function unsafeEdit(path: readonly string[]): ReelError {
  return new ReelError('file-unwritable', `the entry ${JSON.stringify(path.at(-1))} cannot be edited safely`);
}

export function entryAt(entries: readonly ServerEntry[], path: readonly string[]): ServerEntry | undefined {
  return entries.find((entry) => isDeepStrictEqual(entry.path, path));
}

/** Returns whether two values are equal except for the named keys of the object at the end of the path. */
function isSameApartFrom(a: unknown, b: unknown, path: readonly string[], changed: readonly string[]): boolean {
  if (!isObject(a) || !isObject(b)) return false;
  const [step, ...rest] = path;
  const kept = (value: object): string[] =>
    Object.keys(value).filter((key) => step !== undefined || !changed.includes(key));
  return (
    isDeepStrictEqual(kept(a), kept(b)) &&
    kept(a).every((key) =>
      key === step ? isSameApartFrom(a[key], b[key], rest, changed) : isDeepStrictEqual(a[key], b[key]),
    )
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
