import type { TextSpan } from '../json/scan.ts';
import { ReelError } from '../model/errors.ts';
import type { ConfigFile } from './config-file.ts';
import { readConfig, syntaxOf } from './config-syntax.ts';
import { checkEdit, entryAt, unsafeEdit } from './edit-check.ts';
import {
  applyEdits,
  type EntryEdit,
  recordOf,
  unwrapByMeaning,
  unwrapExactly,
  type WrapRecord,
  wrapEntry,
} from './entry-edit.ts';
import { lineEnd, lineNumber } from './layout.ts';
import { nameOf, type StdioEntry, wordsOf } from './server-entry.ts';
import { readWrapping } from './wrapping.ts';

/** A config file's current text and its new text. The change is computed and verified before anything is written. */
export interface ConfigChange {
  readonly file: ConfigFile;
  readonly after: string;
  readonly hunks: readonly Hunk[];
}

export interface WrapChange extends ConfigChange {
  readonly records: readonly WrapRecord[];
}

export interface UnwrapChange extends ConfigChange {
  readonly unwrapped: readonly UnwrappedServer[];
}

/** An entry whose original command line is restored. */
export interface UnwrappedServer {
  readonly path: readonly string[];
  /** Whether the original bytes are restored. Otherwise only the words are the same. */
  readonly exact: boolean;
}

/** Plans to insert words before the command lines of entries. The words depend on the server's name. */
export function planWrap(
  file: ConfigFile,
  entries: readonly StdioEntry[],
  before: (name: string) => readonly string[],
): WrapChange {
  const records: WrapRecord[] = [];
  const change = changeEntries(file, entries, (text, entry) => {
    const words = before(nameOf(entry));
    const { edits, record } = wrapEntry(text, entry, words, syntaxOf(file.client).quote);
    records.push(record);
    return { edits, words: [...words, ...wordsOf(entry)], record };
  });
  return { ...change, records };
}

/** Plans to remove the inserted words. Uses the records if they still match the file. */
export function planUnwrap(
  file: ConfigFile,
  entries: readonly StdioEntry[],
  records: readonly WrapRecord[],
): UnwrapChange {
  const unwrapped: UnwrappedServer[] = [];
  const change = changeEntries(file, entries, (text, entry) => {
    const record = recordOf(records, entry);
    const exactly = record && unwrapExactly(text, entry, record);
    const edits = exactly ?? unwrapByMeaning(text, entry, record?.args.how === 'member');
    if (edits === undefined) throw new ReelError('file-unwritable', `${JSON.stringify(nameOf(entry))} has no server`);
    unwrapped.push({ path: entry.path, exact: exactly !== undefined });
    return { edits, words: wordsOf(entry).slice(readWrapping(wordsOf(entry))?.serverAt) };
  });
  return { ...change, unwrapped };
}

interface EntryChange {
  readonly edits: readonly EntryEdit[];
  /** The resulting command line. */
  readonly words: readonly string[];
  readonly record?: WrapRecord;
}

function changeEntries(
  file: ConfigFile,
  entries: readonly StdioEntry[],
  change: (text: string, entry: StdioEntry) => EntryChange,
): ConfigChange {
  let text = file.text;
  const hunks: Hunk[] = [];
  // Edit from the last entry to the first, so that the line numbers before each edit stay valid.
  for (const { path } of entries.toSorted((a, b) => b.program.start - a.program.start)) {
    const entry = entryAt(readConfig(file.client, text).entries, path);
    if (entry?.kind !== 'stdio') throw unsafeEdit(path);
    const { edits, words, record } = change(text, entry);
    const after = applyEdits(text, edits);
    const changed = checkEdit(file.client, text, after, entry, words);
    const back = record && unwrapExactly(after, changed, record);
    // Refuse a change that cannot be undone byte for byte.
    if (record !== undefined && (back === undefined || applyEdits(after, back) !== text)) throw unsafeEdit(path);
    hunks.unshift(...hunksOf(text, path, edits));
    text = after;
  }
  return { file, after: text, hunks };
}

/** The lines that a change removes from a file, and the lines that replace them. */
interface Hunk {
  /** The path of the entry that the lines belong to. */
  readonly path: readonly string[];
  /** The number of the first removed line, counting from 1. */
  readonly line: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/**
 * Shows the changes of the edits, one hunk per member. Only that member of a line is shown, because an environment with
 * secrets may be next to it.
 */
function hunksOf(text: string, path: readonly string[], edits: readonly EntryEdit[]): Hunk[] {
  const regions = new Map(edits.map(({ region }) => [`${region.start} ${region.end}`, region]));
  return [...regions.values()]
    .toSorted((a, b) => a.start - b.start)
    .map((region) => {
      const inside = edits.filter((edit) => edit.region.start === region.start && edit.region.end === region.end);
      return { path, ...changedLines(text, region, inside) };
    });
}

function changedLines(text: string, region: TextSpan, edits: readonly EntryEdit[]): Omit<Hunk, 'path'> {
  const after = applyEdits(text, edits);
  const before = shown(text, region);
  const changed = shown(after, { start: region.start, end: region.end + after.length - text.length });
  const head = commonLines(before, changed);
  const tail = commonLines(before.slice(head).toReversed(), changed.slice(head).toReversed());
  return {
    line: lineNumber(text, region.start) + head,
    removed: before.slice(head, before.length - tail),
    added: changed.slice(head, changed.length - tail),
  };
}

function shown(text: string, { start, end }: TextSpan): string[] {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const last = lineEnd(text, end);
  const lead = text.slice(lineStart, start);
  const rest = text.slice(end, last);
  const left = /^[ \t\ufeff]*$/.test(lead) ? lead : '…';
  const right = /^[ \t]*,?[ \t]*$/.test(rest) ? rest : '…';
  return `${left}${text.slice(start, end)}${right}`.split(/\r?\n/);
}

function commonLines(a: readonly string[], b: readonly string[]): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return i;
  return length;
}
