import type { Direction } from '../../model/entry.ts';
import type { CallStatus } from '../calls/call.ts';

/** The syntax tree of a filter. Terms keep their spelling, except for case. */
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

/** `dur:>1.5s`: its value in milliseconds or bytes, and its spelling. */
export interface FilterComparison {
  readonly kind: 'comparison';
  readonly key: 'dur' | 'size' | 'http';
  readonly operator: FilterOperator;
  readonly value: number;
  readonly spelled: string;
}

export interface RegexTerm {
  readonly kind: 'regex';
  /** The text between the slashes, with escaped slashes. */
  readonly source: string;
  readonly ignoresCase: boolean;
}

/** The text after the colon. In quotes, no character has a special meaning. */
export interface FilterValue {
  readonly text: string;
  readonly quoted: boolean;
}

export type NameKey = 'tool' | 'method' | 'server';
export type FilterOperator = '>' | '>=' | '<' | '<=' | '=';

export const ENTRY_KINDS = ['request', 'response', 'notification', 'invalid', 'stderr', 'stray', 'http'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

export const STATUSES = ['ok', 'error', 'pending', 'cancelled', 'late', 'stream'] as const;

export const MARKS = ['edited', 'dropped', 'injected'] as const;
export type FilterMark = (typeof MARKS)[number];

/** Keywords that join terms. */
export const JOINING_WORDS = ['or', 'and', 'not'] as const;

/** The conjunction of the parts; without parts it matches everything. */
export function allOf(parts: readonly FilterExpression[]): FilterExpression {
  const [only, ...others] = parts.flatMap((part) => (part.kind === 'all' ? part.of : [part]));
  return only !== undefined && others.length === 0
    ? only
    : { kind: 'all', of: only === undefined ? [] : [only, ...others] };
}

/** The disjunction of the parts. */
export function anyOf(first: FilterExpression, others: readonly FilterExpression[]): FilterExpression {
  const of = [first, ...others].flatMap((part) => (part.kind === 'any' ? part.of : [part]));
  return others.length === 0 ? first : { kind: 'any', of };
}

export function not(part: FilterExpression): FilterExpression {
  return part.kind === 'not' ? part.of : { kind: 'not', of: part };
}

/** Prints a filter that parses to this tree. */
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

/** Whether a word is a keyword, so that it must be quoted to be searched for. */
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
