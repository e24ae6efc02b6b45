import type { TextSpan } from '../json/scan.ts';
import type { MapPattern } from './client.ts';

/** A string of a configuration file and where it stands. */
export interface ArgumentWord extends TextSpan {
  readonly value: string;
}

/** The list of arguments, and where its key begins. */
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
  /** The keys to the object that holds program and arguments; most often the entry itself. */
  readonly owner: readonly string[];
  readonly programKey: string;
  readonly program: ArgumentWord & { readonly keyStart: number };
  readonly args: ArgumentList | undefined;
  /** Where a list of arguments would be added, and what leads to its opening bracket. */
  readonly newArgs: { readonly at: number; readonly lead: string };
}

/** A server that the client reaches by a URL. */
export interface HttpEntry extends EntryBase {
  readonly kind: 'http';
  readonly url: string;
  readonly transport: 'streamable-http' | 'sse';
}

/** An entry that is neither for sure. */
export interface UnsupportedEntry extends EntryBase {
  readonly kind: 'other';
  readonly reason: string;
}

/** One server as a client's configuration names it. */
export type ServerEntry = StdioEntry | HttpEntry | UnsupportedEntry;

/** A file of configuration, understood. */
export interface ConfigDocument {
  /** All that the file says, as its parser has it. */
  readonly data: unknown;
  readonly entries: readonly ServerEntry[];
}

/** How a kind of file is read, and how a string is written in it. */
export interface ConfigSyntax {
  /** Finds the servers in a text, or throws what is wrong with it. */
  read(text: string, maps: readonly MapPattern[]): ConfigDocument;
  quote(word: string): string;
}

export function nameOf(entry: ServerEntry): string {
  return entry.path.at(-1) ?? '';
}

/** The command line of an entry, word by word. */
export function wordsOf({ program, args }: StdioEntry): string[] {
  return [program.value, ...(args?.words ?? []).map(({ value }) => value)];
}

const URL_KEYS = ['httpUrl', 'serverUrl', 'url'];
const HTTP_TYPES = /^(https?|sse|streamable-?http|ws)$/i;

/** What an entry without a command is. */
export function withoutProgram(path: readonly string[], values: ReadonlyMap<string, unknown>): ServerEntry {
  const type = values.get('type') ?? values.get('transport');
  for (const key of URL_KEYS) {
    const url = values.get(key);
    if (typeof url !== 'string') continue;
    const isSse = type === 'sse' || (type === undefined && key !== 'httpUrl' && /\/sse\/?(\?|$)/.test(url));
    return { kind: 'http', path, url, transport: isSse ? 'sse' : 'streamable-http' };
  }
  return { kind: 'other', path, reason: 'it names no command' };
}

/** An entry with a command that a client might still reach by a URL. */
export function unsureOf(path: readonly string[], values: ReadonlyMap<string, unknown>): UnsupportedEntry | undefined {
  const isRemote = URL_KEYS.some((key) => values.has(key)) || HTTP_TYPES.test(String(values.get('type') ?? ''));
  return isRemote ? { kind: 'other', path, reason: 'it names a command and a URL' } : undefined;
}
