import { allOf, anyOf, type FilterExpression, JOINING_WORDS, not, type RegexTerm } from './expression.ts';
import { filterFault } from './filter-fault.ts';
import { type FilterToken, tokensOf } from './lexer.ts';
import { termOfPair, termOfWord } from './terms.ts';

/** The result of parsing a filter. */
export interface ParsedFilter {
  readonly expression: FilterExpression;
  /** The regular expressions and their offsets. They are validated only when they are compiled. */
  readonly regexes: ReadonlyMap<RegexTerm, number>;
}

/** A limit on nested groups, because each takes stack space. */
const DEEPEST = 100;

/**
 * Parses a filter. Adjacent terms are ANDed; `or` has lower precedence; `not` and `-` apply to the next term only. An
 * empty filter matches everything.
 */
export function parseExpression(filter: string): ParsedFilter {
  return new Parser(filter).whole();
}

class Parser {
  readonly #filter: string;
  readonly #tokens: readonly FilterToken[];
  readonly #regexes = new Map<RegexTerm, number>();
  #next = 0;
  #depth = 0;

  constructor(filter: string) {
    this.#filter = filter;
    this.#tokens = tokensOf(filter);
  }

  whole(): ParsedFilter {
    const expression = this.#peek().kind === 'end' ? allOf([]) : this.#alternatives();
    const rest = this.#peek();
    if (rest.kind === 'close') throw filterFault(this.#filter, rest.at, 'Unmatched )');
    return { expression, regexes: this.#regexes };
  }

  #alternatives(): FilterExpression {
    const first = this.#sequence();
    const others: FilterExpression[] = [];
    while (this.#takeWord('or')) others.push(this.#sequence());
    return anyOf(first, others);
  }

  #sequence(): FilterExpression {
    const parts = [this.#operand()];
    for (;;) {
      if (this.#takeWord('and')) parts.push(this.#operand());
      else if (this.#startsOperand()) parts.push(this.#operand());
      else return allOf(parts);
    }
  }

  #startsOperand(): boolean {
    const { kind } = this.#peek();
    return kind !== 'end' && kind !== 'close' && !this.#isWord('or');
  }

  #operand(): FilterExpression {
    let negated = false;
    for (;;) {
      const token = this.#peek();
      if (token.kind === 'minus') this.#takeMinus(token);
      else if (!this.#takeWord('not')) break;
      negated = !negated;
    }
    const part = this.#primary();
    return negated ? not(part) : part;
  }

  /** A minus must directly precede its term: on its own it would be easy to overlook. */
  #takeMinus({ at }: FilterToken): void {
    this.#next++;
    if (this.#peek().at !== at + 1 || this.#peek().kind === 'end') {
      throw filterFault(this.#filter, at, 'Expected a term right after -', 'To search for the text itself, quote it.');
    }
  }

  #primary(): FilterExpression {
    const token = this.#peek();
    if (token.kind === 'end' || token.kind === 'close' || token.kind === 'minus') throw this.#missing(token);
    if (token.kind === 'word' && isJoining(token.text)) throw this.#missing(token);
    this.#next++;
    switch (token.kind) {
      case 'open':
        return this.#group(token.at);
      case 'word':
        return termOfWord(token.text);
      case 'quoted':
        return { kind: 'text', text: token.text };
      case 'pair':
        return termOfPair(token, this.#filter);
      case 'regex': {
        const term: RegexTerm = { kind: 'regex', source: token.source, ignoresCase: token.flags === 'i' };
        this.#regexes.set(term, token.at);
        return term;
      }
    }
  }

  #group(openAt: number): FilterExpression {
    if (++this.#depth > DEEPEST) throw filterFault(this.#filter, openAt, 'Too many nested groups');
    const inner = this.#alternatives();
    if (this.#peek().kind !== 'close') throw filterFault(this.#filter, openAt, 'Missing )');
    this.#next++;
    this.#depth--;
    return inner;
  }

  #missing(found: FilterToken): Error {
    const before = this.#tokens[this.#next - 1];
    const after = before === undefined ? '' : ` after ${this.#shown(before)}`;
    const instead = found.kind === 'end' ? '' : `, not ${this.#shown(found)}`;
    return filterFault(this.#filter, found.at, `Expected a term${after}${instead}`);
  }

  #shown({ kind, ...token }: FilterToken): string {
    return kind === 'word' && 'text' in token ? token.text : this.#filter.charAt(token.at);
  }

  #isWord(word: (typeof JOINING_WORDS)[number]): boolean {
    const token = this.#peek();
    return token.kind === 'word' && token.text.toLowerCase() === word;
  }

  #takeWord(word: (typeof JOINING_WORDS)[number]): boolean {
    const isHere = this.#isWord(word);
    if (isHere) this.#next++;
    return isHere;
  }

  #peek(): FilterToken {
    // The index never passes the end token, because no method consumes it.
    return this.#tokens[this.#next] ?? { kind: 'end', at: this.#filter.length };
  }
}

function isJoining(word: string): boolean {
  const joining: readonly string[] = JOINING_WORDS;
  return joining.includes(word.toLowerCase());
}
