import { isDeepStrictEqual } from 'node:util';
import { ReelError } from '../model/errors.ts';
import type { InstallClient } from './client.ts';
import { readConfig } from './config-syntax.ts';
import { type ServerEntry, type StdioEntry, wordsOf } from './server-entry.ts';

/**
 * Reads an edited text again and compares all that it says: only the command line of the one entry may have changed,
 * and to nothing but these words.
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

/** Says that an entry is one of those that are better left alone. */
export function unsafeEdit(path: readonly string[]): ReelError {
  return new ReelError('file-unwritable', `the entry ${JSON.stringify(path.at(-1))} cannot be edited safely`);
}

export function entryAt(entries: readonly ServerEntry[], path: readonly string[]): ServerEntry | undefined {
  return entries.find((entry) => isDeepStrictEqual(entry.path, path));
}

/** Whether two values are the same but for the keys that are named, in the object at the end of the path. */
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
