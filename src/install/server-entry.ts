import type { TextSpan } from '../json/scan.ts';
import type { MapPattern } from './client.ts';

/** A string in a config file, with its position. */
export interface ArgumentWord extends TextSpan {
  readonly value: string;
}

/** The list of arguments, and the position of its key. */
export interface ArgumentList extends TextSpan {
  readonly keyStart: number;
  readonly words: readonly ArgumentWord[];
}

interface EntryBase {
  /** The keys from the top of the file to the entry. */
  readonly path: readonly string[];
}

/** A server that the client starts as a process. */
export interface StdioEntry extends EntryBase {
  readonly kind: 'stdio';
  /** The path of the object that contains the program and arguments, which usually is the entry itself. */
  readonly owner: readonly string[];
  readonly programKey: string;
  readonly program: ArgumentWord & { readonly keyStart: number };
  readonly args: ArgumentList | undefined;
  /** Where an `args` list would be inserted, and the text before its opening bracket. */
  readonly newArgs: { readonly at: number; readonly lead: string };
}

/** A server that the client reaches by a URL. */
export interface HttpEntry extends EntryBase {
  readonly kind: 'http';
  readonly url: string;
  readonly transport: 'streamable-http' | 'sse';
}

/** An entry that cannot be classified with certainty as either. */
export interface UnsupportedEntry extends EntryBase {
  readonly kind: 'other';
  readonly reason: string;
}

/** One server in a client's configuration. */
export type ServerEntry = StdioEntry | HttpEntry | UnsupportedEntry;

/** A parsed config file. */
export interface ConfigDocument {
  /** The whole content of the file, as parsed. */
  readonly data: unknown;
  readonly entries: readonly ServerEntry[];
}

/** Parses one kind of config file and quotes strings for it. */
export interface ConfigSyntax {
  /** Finds the servers in a text. Throws if the text is invalid. */
  read(text: string, maps: readonly MapPattern[]): ConfigDocument;
  quote(word: string): string;
}

export function nameOf(entry: ServerEntry): string {
  return entry.path.at(-1) ?? '';
}

/** Returns the command line of an entry as a list of words. */
export function wordsOf({ program, args }: StdioEntry): string[] {
  return [program.value, ...(args?.words ?? []).map(({ value }) => value)];
}

const URL_KEYS = ['httpUrl', 'serverUrl', 'url'];
const HTTP_TYPES = /^(https?|sse|streamable-?http|ws)$/i;

/** Classifies an entry that has no command. */
export function withoutProgram(path: readonly string[], values: ReadonlyMap<string, unknown>): ServerEntry {
  const type = values.get('type') ?? values.get('transport');
  for (const key of URL_KEYS) {
    const url = values.get(key);
    if (typeof url !== 'string') continue;
    const isSse = type === 'sse' || (type === undefined && key !== 'httpUrl' && /\/sse\/?(\?|$)/.test(url));
    return { kind: 'http', path, url, transport: isSse ? 'sse' : 'streamable-http' };
  }
  return { kind: 'other', path, reason: 'it has no command' };
}

/** The start of a command line in one word: a program without a path, or a program and an option or a path. */
const COMMAND_LINE = /^(?:[^\s\\/]+\s+\S|\S+\s+[-/@])/;

/**
 * Returns an entry of kind `other` if its program is a whole command line, which only clients that use a shell can run.
 */
export function asOneCommand({ path, program }: StdioEntry): UnsupportedEntry | undefined {
  if (!COMMAND_LINE.test(program.value)) return undefined;
  const reason = '"command" contains arguments. Put the program in "command" and the rest in "args"';
  return { kind: 'other', path, reason };
}

/** Returns an entry of kind `other` if it has a command and the client may still use a URL. */
export function unsureOf(path: readonly string[], values: ReadonlyMap<string, unknown>): UnsupportedEntry | undefined {
  const isRemote = URL_KEYS.some((key) => values.has(key)) || HTTP_TYPES.test(String(values.get('type') ?? ''));
  return isRemote ? { kind: 'other', path, reason: 'it has both a command and a URL' } : undefined;
}
