import type { Call } from '../calls/call.ts';
import { toolOf } from '../calls/call-reply.ts';
import { type FilterExpression, type FilterTerm, printExpression } from './expression.ts';
import { filterFault } from './filter-fault.ts';
import { type FilterSubject, SubjectFacts } from './filter-subject.ts';
import { type ParsedFilter, parseExpression } from './parser.ts';
import { predicateOf } from './predicate.ts';
import { namePattern } from './text-pattern.ts';

/** A parsed filter, which selects entries. */
export interface Filter {
  /** The filter in canonical spelling. */
  readonly text: string;
  /** Whether it needs the call of a message: for `tool:` and `method:` of a response, and for outcomes. */
  readonly needsCalls: boolean;
  /** Whether it needs data that is known only after a call ends: `status:` and `dur:`. */
  readonly needsOutcomes: boolean;
  /** Whether it needs the status of a message's HTTP exchange. */
  readonly needsExchanges: boolean;
  /** Whether it selects events, with `kind:` or `http:`. */
  readonly asksForEvents: boolean;
  matches(subject: FilterSubject): boolean;
  /** Whether a `tool:` or `method:` term matches a call. Callers need not remember other calls. */
  names(call: Pick<Call, 'method' | 'name'>): boolean;
}

/** Parses a filter. Throws a usage error with the column of the first syntax error. */
export function parseFilter(text: string, compileRegex: CompileRegex): Filter {
  return filterOf(parseExpression(text), text, compileRegex);
}

/** The same, but loads the regular expression engine if the filter needs it. */
export async function loadFilter(text: string): Promise<Filter> {
  const parsed = parseExpression(text);
  const compileRegex = parsed.regexes.size === 0 ? noRegex : await loadRegexEngine();
  return filterOf(parsed, text, compileRegex);
}

const noRegex: CompileRegex = () => () => false;

function filterOf({ expression, regexes }: ParsedFilter, text: string, compileRegex: CompileRegex): Filter {
  const predicate = predicateOf(expression, (term) => {
    try {
      return compileRegex(term.source, term.ignoresCase);
    } catch (cause) {
      const reason = (cause as Error).message.replace(/^error parsing regexp: /, '');
      const hint = 'Use RE2 syntax: look-around and back-references are not supported.';
      throw filterFault(text, regexes.get(term) ?? 0, `Cannot use /${term.source}/: ${reason}`, hint, cause);
    }
  });
  const terms = termsOf(expression);
  const uses = (test: (term: FilterTerm) => boolean): boolean => terms.some(({ term }) => test(term));
  const needsOutcomes = uses((term) => term.kind === 'status' || (term.kind === 'comparison' && term.key === 'dur'));
  return {
    text: printExpression(expression),
    needsCalls: needsOutcomes || uses((term) => term.kind === 'name' && term.key !== 'server'),
    needsOutcomes,
    needsExchanges: uses(isHttpStatus),
    asksForEvents: terms.some(
      ({ term, isWanted: isRequested }) => isRequested && (isHttpStatus(term) || isEventKind(term)),
    ),
    matches: (subject) => predicate(new SubjectFacts(subject)),
    names: callNames(terms.map(({ term }) => term)),
  };
}

function isHttpStatus(term: FilterTerm): boolean {
  return term.kind === 'comparison' && term.key === 'http';
}

function isEventKind(term: FilterTerm): boolean {
  return term.kind === 'entry' && (term.entry === 'stderr' || term.entry === 'stray' || term.entry === 'http');
}

function callNames(terms: readonly FilterTerm[]): Filter['names'] {
  const tests = terms.flatMap((term) => {
    if (term.kind !== 'name' || term.key === 'server') return [];
    return [{ key: term.key, fits: namePattern(term.value.text, term.value.quoted) }];
  });
  return (call) =>
    tests.some(({ key, fits }) => {
      const name = key === 'method' ? call.method : toolOf(call);
      return name !== undefined && fits(name);
    });
}

interface UsedTerm {
  readonly term: FilterTerm;
  /** False if the term is negated. */
  readonly isWanted: boolean;
}

function termsOf(expression: FilterExpression, isRequested = true): UsedTerm[] {
  if (expression.kind === 'not') return termsOf(expression.of, !isRequested);
  if (expression.kind === 'all' || expression.kind === 'any') {
    return expression.of.flatMap((part) => termsOf(part, isRequested));
  }
  return [{ term: expression, isWanted: isRequested }];
}

/** Compiles a regular expression to a test function; throws if it is invalid. */
export type CompileRegex = (source: string, ignoresCase: boolean) => (text: string) => boolean;

/**
 * Loads the engine for regular expressions in filters. It uses RE2 syntax and takes linear time for any pattern. It is
 * loaded on demand, because most filters have no regular expression.
 */
export async function loadRegexEngine(): Promise<CompileRegex> {
  const { RE2JS } = await import('re2js');
  return (source, ignoresCase) => {
    const pattern = RE2JS.compile(source, ignoresCase ? RE2JS.CASE_INSENSITIVE : 0);
    return (text) => pattern.test(text);
  };
}
