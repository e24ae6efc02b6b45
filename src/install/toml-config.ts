import { isDeepStrictEqual } from 'node:util';
import { parse, TomlError } from 'smol-toml';
import { ReelError } from '../model/errors.ts';
import type { MapPattern } from './client.ts';
import { lineBreakBefore, lineEnd } from './layout.ts';
import {
  type ArgumentWord,
  type ConfigDocument,
  type ConfigSyntax,
  type ServerEntry,
  type StdioEntry,
  unsureOf,
  withoutProgram,
} from './server-entry.ts';
import { scanToml, type TomlPair, type TomlValue } from './toml-scan.ts';

type TomlTable = Readonly<Record<string, unknown>>;

/** Reads TOML config files and locates the server entries in their text. */
export const toml: ConfigSyntax = { read, quote };

function read(text: string, maps: readonly MapPattern[]): ConfigDocument {
  // A space in place of a byte order mark keeps every offset.
  const source = text.replace(/^\ufeff/, ' ');
  const data = parseTable(source);
  const pairs = scanToml(source, decode);
  return { data, entries: maps.flatMap((map) => entriesAt(source, data, map, pairs)) };
}

/** TOML and JSON share their escapes, except that TOML requires U+007F to be escaped. */
function quote(word: string): string {
  return JSON.stringify(word).replaceAll('\u007f', '\\u007F');
}

function parseTable(text: string): TomlTable {
  try {
    return parse(text, { integersAsBigInt: 'asNeeded' });
  } catch (error) {
    const what = error instanceof TomlError ? `${firstLine(error.message)} in line ${error.line}` : String(error);
    throw new ReelError('file-unreadable', `invalid TOML: ${what}`, { cause: error });
  }
}

function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/^Invalid TOML document: /, '');
}

function decode(literal: string): string {
  return String(parse(`v = ${literal}`).v);
}

function entriesAt(text: string, data: TomlTable, map: MapPattern, pairs: readonly TomlPair[]): ServerEntry[] {
  const servers = map.reduce<unknown>((value, key) => (isTable(value) ? value[key] : undefined), data);
  if (!isTable(servers)) return [];
  return Object.entries(servers).map(([name, entry]) => entryOf(text, entry, [...map, name], pairs));
}

function entryOf(text: string, entry: unknown, path: readonly string[], pairs: readonly TomlPair[]): ServerEntry {
  if (!isTable(entry)) return { kind: 'other', path, reason: 'it is not a table' };
  const values = new Map(Object.entries(entry));
  if (entry.command === undefined) return withoutProgram(path, values);
  const unsure = unsureOf(path, values);
  if (unsure !== undefined) return unsure;
  const program = pairAt(pairs, [...path, 'command']);
  const args = pairAt(pairs, [...path, 'args']);
  if (program?.value.kind !== 'string') return { kind: 'other', path, reason: 'its command is not a string' };
  const stdio: StdioEntry = {
    kind: 'stdio',
    path,
    owner: path,
    programKey: 'command',
    program: { ...wordAt(text, program.value), keyStart: program.keyStart },
    args: args && {
      keyStart: args.keyStart,
      start: args.value.start,
      end: args.value.end,
      words: args.value.elements.filter(({ kind }) => kind === 'string').map((value) => wordAt(text, value)),
    },
    newArgs: newArgsAfter(text, program),
  };
  // The parser provides the values and the scanner provides the positions. Both must agree.
  const isSure =
    stdio.program.value === entry.command &&
    isDeepStrictEqual(
      stdio.args?.words.map(({ value }) => value),
      entry.args,
    );
  return isSure ? stdio : { kind: 'other', path, reason: 'its arguments are not a list of strings' };
}

function newArgsAfter(text: string, program: TomlPair): StdioEntry['newArgs'] {
  const { value, keyStart, lastKeyStart, keyEnd, inline } = program;
  const equals = text.slice(keyEnd, value.start);
  if (inline) return { at: value.end, lead: `, args${equals}` };
  const lineStart = text.lastIndexOf('\n', keyStart - 1) + 1;
  const indent = /^[ \t]*/.exec(text.slice(lineStart, keyStart))?.[0] ?? '';
  const prefix = text.slice(keyStart, lastKeyStart);
  return { at: lineEnd(text, value.end), lead: `${lineBreakBefore(text, value.end)}${indent}${prefix}args${equals}` };
}

function pairAt(pairs: readonly TomlPair[], path: readonly string[]): TomlPair | undefined {
  return pairs.find((pair) => isDeepStrictEqual(pair.path, path));
}

function wordAt(text: string, { start, end }: TomlValue): ArgumentWord {
  return { start, end, value: decode(text.slice(start, end)) };
}

function isTable(value: unknown): value is TomlTable {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
