import { isDeepStrictEqual } from 'node:util';
import type { TextSpan } from '../json/scan.ts';
import { lineLead } from './layout.ts';
import { type StdioEntry, wordsOf } from './server-entry.ts';
import { readWrapping } from './wrapping.ts';

/** A text replacement in a config file. */
export interface EntryEdit extends TextSpan {
  readonly text: string;
  /** The member that the edit changes, for display. Edits with the same region are shown together. */
  readonly region: TextSpan;
}

/** The exact text that was written into an entry, and the text that it replaced. */
export interface WrapRecord {
  readonly path: readonly string[];
  readonly program: { readonly original: string; readonly written: string };
  /** Whether the text was inserted before the arguments, into an empty list, or as a new `args` member. */
  readonly args: { readonly how: 'before' | 'into' | 'member'; readonly written: string };
}

export interface WrappedEntry {
  readonly edits: readonly EntryEdit[];
  readonly record: WrapRecord;
}

/**
 * Inserts these words before the command line of an entry. The entry's arguments stay unchanged. The literal of its
 * program moves into the arguments as it is, so that unwrapping can move it back.
 */
export function wrapEntry(
  text: string,
  entry: StdioEntry,
  [command = '', ...before]: readonly string[],
  quote: (word: string) => string,
): WrappedEntry {
  const { program, args } = entry;
  const original = text.slice(program.start, program.end);
  const items = [...before.map(quote), original];
  const { at, ...inserted } = argsInsertion(text, entry, items);
  const together = { start: program.keyStart, end: at };
  const edits: EntryEdit[] = [
    { ...spanOf(program), text: quote(command), region: args ? memberOf(program) : together },
    { start: at, end: at, text: inserted.written, region: args ? memberOf(args) : together },
  ];
  return { edits, record: { path: entry.path, program: { original, written: quote(command) }, args: inserted } };
}

export function recordOf(records: readonly WrapRecord[], { path }: StdioEntry): WrapRecord | undefined {
  return records.find((record) => isDeepStrictEqual(record.path, path));
}

/**
 * Removes the text that was written according to the record. Returns `undefined` if the file contains different text by
 * now.
 */
export function unwrapExactly(text: string, entry: StdioEntry, record: WrapRecord): EntryEdit[] | undefined {
  const { program, args, newArgs } = entry;
  const { how, written } = record.args;
  const [first] = args?.words ?? [];
  const start = how === 'member' ? newArgs.at : first?.start;
  if (args === undefined || start === undefined) return undefined;
  const end = start + written.length;
  // If the entry had no arguments, none may follow now. If it had some, at least one must follow.
  const isFollowed = args.words.some((word) => word.start >= end);
  const stands = text.slice(program.start, program.end) === record.program.written && text.startsWith(written, start);
  if (!stands || isFollowed !== (how === 'before')) return undefined;
  const together = how === 'member' ? { start: program.keyStart, end: args.end } : undefined;
  return [
    { ...spanOf(program), text: record.program.original, region: together ?? memberOf(program) },
    { start, end, text: '', region: together ?? memberOf(args) },
  ];
}

/** Keeps only the words after `--`. Returns `undefined` if no word follows it. */
export function unwrapByMeaning(text: string, entry: StdioEntry, addedArgs: boolean): EntryEdit[] | undefined {
  const { program, args } = entry;
  const serverAt = readWrapping(wordsOf(entry))?.serverAt;
  const server = serverAt === undefined ? undefined : args?.words[serverAt - 1];
  const [first] = args?.words ?? [];
  if (args === undefined || first === undefined || serverAt === undefined || server === undefined) return undefined;
  const back = { ...spanOf(program), text: text.slice(server.start, server.end) };
  const next = args.words[serverAt];
  if (next === undefined && addedArgs && /^[\s,]*$/.test(text.slice(program.end, args.keyStart))) {
    const region = { start: program.keyStart, end: args.end };
    return [
      { ...back, region },
      { start: program.end, end: args.end, text: '', region },
    ];
  }
  // If no word follows, remove the comma as well, so that it is not left alone in the list.
  const [, comma = ''] = /^(\s*,)?/.exec(text.slice(server.end, args.end)) ?? [];
  const end = next?.start ?? server.end + comma.length;
  return [
    { ...back, region: memberOf(program) },
    { start: first.start, end, text: '', region: memberOf(args) },
  ];
}

export function applyEdits(text: string, edits: readonly EntryEdit[]): string {
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((result, edit) => result.slice(0, edit.start) + edit.text + result.slice(edit.end), text);
}

function argsInsertion(
  text: string,
  { args, newArgs }: StdioEntry,
  items: readonly string[],
): WrapRecord['args'] & { readonly at: number } {
  if (args === undefined) {
    return { how: 'member', at: newArgs.at, written: `${newArgs.lead}[${items.join(', ')}]` };
  }
  const [first, second] = args.words;
  if (first === undefined) return { how: 'into', at: args.start + 1, written: items.join(', ') };
  const lead = lineLead(text, first.start);
  const between = second && text.slice(first.end, second.start);
  const separator = lead === undefined ? (between === ',' ? ',' : ', ') : `,${lead}`;
  return { how: 'before', at: first.start, written: items.map((item) => item + separator).join('') };
}

function spanOf({ start, end }: TextSpan): TextSpan {
  return { start, end };
}

function memberOf({ keyStart, end }: TextSpan & { readonly keyStart: number }): TextSpan {
  return { start: keyStart, end };
}
