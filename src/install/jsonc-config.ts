import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode, stripComments } from 'jsonc-parser';
import { ReelError } from '../model/errors.ts';
import type { MapPattern } from './client.ts';
import { lineLead, lineNumber } from './layout.ts';
import {
  type ArgumentList,
  type ConfigDocument,
  type ConfigSyntax,
  type ServerEntry,
  unsureOf,
  withoutProgram,
} from './server-entry.ts';

/** Reads JSON with comments and trailing commas, which clients accept and users write. */
export const jsonc: ConfigSyntax = { read, quote: (word) => JSON.stringify(word) };

interface ConfigMember {
  readonly key: Node;
  readonly value: Node;
}

function read(text: string, maps: readonly MapPattern[]): ConfigDocument {
  // A byte order mark is not valid JSON. A space in its place keeps every offset.
  const source = text.replace(/^\ufeff/, ' ');
  const root = parse(source);
  if (root === undefined) return { data: undefined, entries: [] };
  const entries = maps.flatMap((pattern) => entriesAt(source, root, pattern, []));
  return { data: getNodeValue(root), entries };
}

/** Parses a text into a tree. Returns `undefined` if it contains no value at all. */
function parse(text: string): Node | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first === undefined) return root;
  if (root === undefined && stripComments(text).trim() === '') return undefined;
  const what = printParseErrorCode(first.error)
    .replaceAll(/(?<=.)[A-Z]/g, ' $&')
    .toLowerCase();
  throw new ReelError(
    'file-unreadable',
    `invalid JSON: ${what} in line ${lineNumber(text, first.offset)}, column ${columnIn(text, first.offset)}`,
  );
}

function columnIn(text: string, offset: number): number {
  return offset - text.lastIndexOf('\n', offset - 1);
}

function entriesAt(text: string, node: Node, pattern: MapPattern, path: readonly string[]): ServerEntry[] {
  const [step, ...rest] = pattern;
  const members = [...membersOf(text, node)];
  if (step === undefined) return members.map(([name, { value }]) => entryOf(text, value, [...path, name]));
  return members
    .filter(([key]) => step === '*' || step === key)
    .flatMap(([key, { value }]) => entriesAt(text, value, rest, [...path, key]));
}

/** Returns the members of an object by key. Other values have no members. */
function membersOf(text: string, node: Node): Map<string, ConfigMember> {
  const members = new Map<string, ConfigMember>();
  if (node.type !== 'object') return members;
  for (const { children: [key, value] = [] } of node.children ?? []) {
    if (key === undefined || value === undefined) continue;
    const name = String(key.value);
    if (members.has(name)) {
      const line = lineNumber(text, key.offset);
      throw new ReelError('file-unreadable', `duplicate key ${JSON.stringify(name)} in line ${line}`);
    }
    members.set(name, { key, value });
  }
  return members;
}

function entryOf(text: string, node: Node, path: readonly string[]): ServerEntry {
  if (node.type !== 'object') return { kind: 'other', path, reason: 'it is not an object' };
  const members = membersOf(text, node);
  const values = new Map([...members].map(([key, { value }]) => [key, value.value as unknown]));
  const command = members.get('command');
  if (command === undefined) return withoutProgram(path, values);
  const unsure = unsureOf(path, values);
  if (unsure !== undefined) return unsure;
  // Older versions of Zed kept the program and arguments in a nested object.
  if (command.value.type === 'object') {
    return stdioEntry(text, membersOf(text, command.value), 'path', path, [...path, 'command']);
  }
  return stdioEntry(text, members, 'command', path, path);
}

function stdioEntry(
  text: string,
  members: ReadonlyMap<string, ConfigMember>,
  programKey: string,
  path: readonly string[],
  owner: readonly string[],
): ServerEntry {
  const program = members.get(programKey);
  const args = members.get('args');
  if (program?.value.type !== 'string') return { kind: 'other', path, reason: 'its command is not a string' };
  const list = args && argumentList(args);
  if (args !== undefined && list === undefined) {
    return { kind: 'other', path, reason: 'its arguments are not a list of strings' };
  }
  const { key, value } = program;
  const end = value.offset + value.length;
  const colon = text.slice(key.offset + key.length, value.offset);
  const gap = /^ *: *$/.test(colon) ? colon : ': ';
  const lead = `,${lineLead(text, key.offset) ?? (gap.endsWith(' ') ? ' ' : '')}"args"${gap}`;
  return {
    kind: 'stdio',
    path,
    owner,
    programKey,
    program: { start: value.offset, end, keyStart: key.offset, value: String(value.value) },
    args: list,
    newArgs: { at: end, lead },
  };
}

function argumentList({ key, value }: ConfigMember): ArgumentList | undefined {
  const elements = value.children ?? [];
  if (value.type !== 'array' || elements.some(({ type }) => type !== 'string')) return undefined;
  return {
    keyStart: key.offset,
    start: value.offset,
    end: value.offset + value.length,
    words: elements.map((word) => ({
      start: word.offset,
      end: word.offset + word.length,
      value: String(word.value),
    })),
  };
}
