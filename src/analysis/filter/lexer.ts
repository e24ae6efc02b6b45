import type { FilterValue } from './expression.ts';
import { filterFault } from './filter-fault.ts';

interface TextPlace {
  /** The offset of its first character. */
  readonly at: number;
}

/** One token of a filter. */
export type FilterToken = TextPlace &
  (
    | { readonly kind: 'open' | 'close' | 'minus' | 'end' }
    | { readonly kind: 'word' | 'quoted'; readonly text: string }
    | { readonly kind: 'regex'; readonly source: string; readonly flags: string }
    | { readonly kind: 'pair'; readonly key: string; readonly value: FilterValue; readonly valueAt: number }
  );

const QUOTE_IT = 'To search for the text itself, quote it.';

/** Splits a filter into tokens; the last one is `end`. */
export function tokensOf(filter: string): readonly FilterToken[] {
  const tokens: FilterToken[] = [];
  let at = 0;
  for (;;) {
    at = afterSpace(filter, at);
    const [token, end] = tokenAt(filter, at);
    tokens.push(token);
    if (token.kind === 'end') return tokens;
    at = end;
  }
}

type LexedPart = readonly [token: FilterToken, end: number];

function tokenAt(filter: string, at: number): LexedPart {
  switch (filter.charAt(at)) {
    case '':
      return [{ kind: 'end', at }, at];
    case '(':
      return [{ kind: 'open', at }, at + 1];
    case ')':
      return [{ kind: 'close', at }, at + 1];
    case '-':
      return [{ kind: 'minus', at }, at + 1];
    case '"':
      return quotedAt(filter, at);
    case '/':
      return regexAt(filter, at);
    default:
      return pairAt(filter, at) ?? wordAt(filter, at);
  }
}

function wordAt(filter: string, at: number): LexedPart {
  const text = match(/[^\s()]+/y, filter, at);
  return [{ kind: 'word', at, text }, at + text.length];
}

/** `key:value`. A key consists only of letters: `12:30` is a word. */
function pairAt(filter: string, at: number): LexedPart | undefined {
  const lead = match(/[a-z]+:/iy, filter, at);
  if (lead === '') return undefined;
  const key = lead.slice(0, -1).toLowerCase();
  const valueAt = at + lead.length;
  if (filter.charAt(valueAt) === '"') {
    const [text, end] = quotedText(filter, valueAt);
    return [{ kind: 'pair', at, key, valueAt, value: { text, quoted: true } }, end];
  }
  const text = match(/[^\s()]+/y, filter, valueAt);
  return [{ kind: 'pair', at, key, valueAt, value: { text, quoted: false } }, valueAt + text.length];
}

function quotedAt(filter: string, at: number): LexedPart {
  const [text, end] = quotedText(filter, at);
  return [{ kind: 'quoted', at, text }, end];
}

function quotedText(filter: string, at: number): readonly [text: string, end: number] {
  const literal = match(/"(?:[^"\\]|\\.)*"/sy, filter, at);
  if (literal === '') throw filterFault(filter, at, 'Missing closing quote');
  if (literal === '""') throw filterFault(filter, at, 'Empty quotes');
  const end = at + literal.length;
  requireGap(filter, end, 'Expected a space after the quote');
  return [literal.slice(1, -1).replaceAll(/\\(["\\])/g, '$1'), end];
}

function regexAt(filter: string, at: number): LexedPart {
  const body = match(/\/(?:[^/\\]|\\.)*\//sy, filter, at);
  if (body === '') throw filterFault(filter, at, 'Missing closing slash of the regular expression', QUOTE_IT);
  if (body === '//') throw filterFault(filter, at, 'Empty regular expression', QUOTE_IT);
  const flagsAt = at + body.length;
  const flags = match(/i/y, filter, flagsAt);
  const end = flagsAt + flags.length;
  requireGap(filter, end, 'Expected a space after the regular expression', QUOTE_IT);
  return [{ kind: 'regex', at, source: body.slice(1, -1), flags }, end];
}

/**
 * Throws if the next character follows without a space: it was more likely meant as part of the token than as a new
 * one.
 */
function requireGap(filter: string, at: number, what: string, hint?: string): void {
  if (at < filter.length && match(/[\s()]/y, filter, at) === '') throw filterFault(filter, at, what, hint);
}

function afterSpace(filter: string, at: number): number {
  return at + match(/\s+/y, filter, at).length;
}

/** The match of a sticky pattern at an offset, or the empty string. */
function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}
