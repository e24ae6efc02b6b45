import { parseByteSize } from '../../model/byte-size.ts';
import {
  ENTRY_KINDS,
  type EntryKind,
  type FilterComparison,
  type FilterOperator,
  type FilterTerm,
  type FilterValue,
  MARKS,
  STATUSES,
} from './expression.ts';
import { filterFault } from './filter-fault.ts';
import type { FilterToken } from './lexer.ts';

/** Parses the single terms of a filter. */

type TermPair = Extract<FilterToken, { kind: 'pair' }>;
type TermError = (what: string, hint?: string) => Error;
type ReadValue = (value: FilterValue, fault: TermError) => FilterTerm;

/** The parsers of `key:value` terms, by key. */
const PAIRS: ReadonlyMap<string, ReadValue> = new Map<string, ReadValue>([
  ['tool', (value) => ({ kind: 'name', key: 'tool', value })],
  ['method', (value) => ({ kind: 'name', key: 'method', value })],
  ['server', (value) => ({ kind: 'name', key: 'server', value })],
  ['id', (value) => ({ kind: 'id', value })],
  ['dir', readDirection],
  ['kind', ({ text }, fault) => ({ kind: 'entry', entry: readKind(text, fault) })],
  ['status', ({ text }, fault) => ({ kind: 'status', status: oneOf(STATUSES, 'status', text, fault) })],
  ['conv', readConversation],
  ['http', ({ text }, fault) => readComparison('http', text, fault)],
  ['dur', ({ text }, fault) => readComparison('dur', text, fault)],
  ['size', ({ text }, fault) => readComparison('size', text, fault)],
]);

/** Parses a `key:value` term. */
export function termOfPair({ at, key, value, valueAt }: TermPair, filter: string): FilterTerm {
  const read = PAIRS.get(key);
  if (read === undefined) {
    throw filterFault(filter, at, `Unknown key: ${key}`, `Use one of ${keys()}, or quote it to search for the text.`);
  }
  if (value.text === '') throw filterFault(filter, valueAt, `Expected a value after ${key}:`);
  return read(value, (what, hint) => filterFault(filter, valueAt, what, hint));
}

/** The term for an unquoted word. */
export function termOfWord(word: string): FilterTerm {
  const mark = MARKS.find((known) => known === word.toLowerCase());
  if (mark !== undefined) return { kind: 'mark', mark };
  return DIRECTIONS.get(word) ?? { kind: 'text', text: word };
}

const DIRECTIONS: ReadonlyMap<string, FilterTerm> = new Map<string, FilterTerm>([
  ['>', { kind: 'direction', direction: 'client_to_server' }],
  ['<', { kind: 'direction', direction: 'server_to_client' }],
]);

function keys(): string {
  return [...PAIRS.keys()].map((key) => `${key}:`).join(' ');
}

function readDirection({ text }: FilterValue, fault: TermError): FilterTerm {
  const term = DIRECTIONS.get(text);
  if (term === undefined)
    throw fault(`Unknown direction: ${text}`, 'Use > for messages of the client, < for those of the server.');
  return term;
}

function readConversation({ text }: FilterValue, fault: TermError): FilterTerm {
  if (!/^\d{1,15}$/.test(text)) throw fault(`Not a conversation number: ${text}`, 'Example: conv:0');
  return { kind: 'conversation', number: Number(text) };
}

/** `noise` is the earlier word for stray output, as in the event's name. */
function readKind(text: string, fault: TermError): EntryKind {
  return text.toLowerCase() === 'noise' ? 'stray' : oneOf(ENTRY_KINDS, 'kind', text, fault);
}

function oneOf<T extends string>(known: readonly T[], noun: string, text: string, fault: TermError): T {
  const found = known.find((name) => name === text.toLowerCase());
  if (found === undefined) throw fault(`Unknown ${noun}: ${text}`, `Use one of ${known.join(', ')}.`);
  return found;
}

interface UnitMeasure {
  readonly noun: string;
  readonly example: string;
  /** Whether the operator may be omitted. Exact equality is useless for measured values. */
  readonly standsAlone: boolean;
  readonly read: (text: string) => number | undefined;
}

const MEASURES: Readonly<Record<FilterComparison['key'], UnitMeasure>> = {
  dur: { noun: 'duration', example: 'dur:>500ms or dur:<=2s', standsAlone: false, read: readDurationMs },
  size: { noun: 'size', example: 'size:>10k', standsAlone: false, read: parseByteSize },
  http: { noun: 'HTTP status', example: 'http:401 or http:>=400', standsAlone: true, read: readHttpStatus },
};

function readComparison(key: FilterComparison['key'], text: string, fault: TermError): FilterTerm {
  const { noun, example, standsAlone, read } = MEASURES[key];
  const [, operator = '', spelled = ''] = /^(>=|<=|>|<|=|)(.*)$/s.exec(text) ?? [];
  const hint = `Example: ${example}`;
  const value = read(spelled);
  if (value === undefined) throw fault(`Not a ${noun}: ${text}`.replace('a HTTP', 'an HTTP'), hint);
  if (operator === '' && !standsAlone) throw fault(`Missing comparison of the ${noun}: ${text}`, hint);
  return { kind: 'comparison', key, operator: operator === '' ? '=' : (operator as FilterOperator), value, spelled };
}

const MILLISECONDS: Readonly<Record<string, number>> = { '': 1, ms: 1, s: 1000, m: 60_000 };

function readDurationMs(text: string): number | undefined {
  const match = /^(\d{1,15}(?:\.\d{1,15})?)(ms|s|m|)$/i.exec(text);
  return match === null ? undefined : Number(match[1]) * (MILLISECONDS[match[2]?.toLowerCase() ?? ''] ?? 1);
}

function readHttpStatus(text: string): number | undefined {
  return /^[1-9]\d\d$/.test(text) ? Number(text) : undefined;
}
