import type { Direction } from '../../model/entry.ts';
import type { CallStatus } from '../calls/call.ts';

/** What a filter says, as a tree. Terms are printed and compared as they were spelled, apart from case. */
export type FilterExpression =
  | { readonly kind: 'all'; readonly of: readonly FilterExpression[] }
  | { readonly kind: 'any'; readonly of: readonly FilterExpression[] }
  | { readonly kind: 'not'; readonly of: FilterExpression }
  | FilterTerm;

export type FilterTerm =
  | { readonly kind: 'name'; readonly key: NameKey; readonly value: FilterValue }
  | { readonly kind: 'id'; readonly value: FilterValue }
  | { readonly kind: 'direction'; readonly direction: Direction }
  | { readonly kind: 'entry'; readonly entry: EntryKind }
  | { readonly kind: 'status'; readonly status: CallStatus }
  | { readonly kind: 'conversation'; readonly number: number }
  | { readonly kind: 'mark'; readonly mark: FilterMark }
  | { readonly kind: 'text'; readonly text: string }
  | FilterComparison
  | RegexTerm;

/** `dur:>1.5s`: the number that it stands for, in milliseconds or bytes, and how it was spelled. */
export interface FilterComparison {
  readonly kind: 'comparison';
  readonly key: 'dur' | 'size' | 'http';
  readonly operator: FilterOperator;
  readonly value: number;
  readonly spelled: string;
}

export interface RegexTerm {
  readonly kind: 'regex';
  /** What stands between the slashes, with the slashes in it escaped. */
  readonly source: string;
  readonly ignoresCase: boolean;
}

/** What stands after the colon. In quotes nothing in it has a meaning of its own. */
export interface FilterValue {
  readonly text: string;
  readonly quoted: boolean;
}

export type NameKey = 'tool' | 'method' | 'server';
export type FilterOperator = '>' | '>=' | '<' | '<=' | '=';

export const ENTRY_KINDS = ['request', 'response', 'notification', 'invalid', 'stderr', 'noise', 'http'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

export const STATUSES = ['ok', 'error', 'pending', 'cancelled', 'late', 'stream'] as const;

export const MARKS = ['edited', 'dropped', 'injected'] as const;
export type FilterMark = (typeof MARKS)[number];

/** Words that join terms instead of being looked for. */
export const JOINING_WORDS = ['or', 'and', 'not'] as const;

/** What holds where all of these hold; of none, everything. */
export function allOf(parts: readonly FilterExpression[]): FilterExpression {
  const [only, ...others] = parts.flatMap((part) => (part.kind === 'all' ? part.of : [part]));
  return only !== undefined && others.length === 0
    ? only
    : { kind: 'all', of: only === undefined ? [] : [only, ...others] };
}

/** What holds where at least one of these does. */
export function anyOf(first: FilterExpression, others: readonly FilterExpression[]): FilterExpression {
  const of = [first, ...others].flatMap((part) => (part.kind === 'any' ? part.of : [part]));
  return others.length === 0 ? first : { kind: 'any', of };
}

export function not(part: FilterExpression): FilterExpression {
  return part.kind === 'not' ? part.of : { kind: 'not', of: part };
}

/** The filter that reads as this tree again. */
export function printExpression(expression: FilterExpression): string {
  switch (expression.kind) {
    case 'all':
      return expression.of.map((part) => (part.kind === 'any' ? grouped(part) : printExpression(part))).join(' ');
    case 'any':
      return expression.of.map((part) => printExpression(part)).join(' or ');
    case 'not':
      return `-${expression.of.kind === 'all' || expression.of.kind === 'any' ? grouped(expression.of) : printExpression(expression.of)}`;
    default:
      return printTerm(expression);
  }
}

function grouped(expression: FilterExpression): string {
  return `(${printExpression(expression)})`;
}

function printTerm(term: FilterTerm): string {
  switch (term.kind) {
    case 'name':
      return `${term.key}:${printValue(term.value)}`;
    case 'id':
      return `id:${printValue(term.value)}`;
    case 'direction':
      return `dir:${term.direction === 'client_to_server' ? '>' : '<'}`;
    case 'entry':
      return `kind:${term.entry}`;
    case 'status':
      return `status:${term.status}`;
    case 'conversation':
      return `conv:${term.number}`;
    case 'mark':
      return term.mark;
    case 'comparison':
      return `${term.key}:${term.key === 'http' && term.operator === '=' ? '' : term.operator}${term.spelled}`;
    case 'regex':
      return `/${term.source}/${term.ignoresCase ? 'i' : ''}`;
    case 'text':
      return /^\w[\w.]*$/.test(term.text) && !isReserved(term.text) ? term.text : quote(term.text);
  }
}

/** Whether a word has a meaning, so that it must be quoted to be looked for. */
function isReserved(word: string): boolean {
  const reserved: readonly string[] = [...MARKS, ...JOINING_WORDS];
  return reserved.includes(word.toLowerCase());
}

function printValue({ text, quoted }: FilterValue): string {
  return quoted ? quote(text) : text;
}

function quote(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}
