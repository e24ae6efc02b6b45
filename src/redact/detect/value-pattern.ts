import { ReelError } from '../../model/errors.ts';
import { type DetectedSpan, RANK } from './detector.ts';

/** A pattern that the user gave. */
export interface ValuePattern {
  /** Finds the matches in a string, in time linear in its length. */
  find(text: string): DetectedSpan[];
}

/** So many matches in a string are searched for in the whole string, and have exactly the meaning of RE2. */
const MAX_EXACT = 64;
/** The initial distance to search for further matches. */
const FIRST_REACH = 512;

/**
 * Compiles the user's `--redact-value` patterns, in RE2 syntax. The engine is only loaded if there are patterns. A
 * pattern that does not compile is a usage error.
 */
export async function compileValuePatterns(sources: readonly string[]): Promise<readonly ValuePattern[]> {
  if (sources.length === 0) return [];
  const { RE2JS } = await import('re2js');
  return sources.map((source) => {
    const pattern = compile(() => RE2JS.compile(source), source);
    if (pattern.matches('')) {
      throw new ReelError('usage', `Cannot use the redaction pattern "${source}": it matches the empty text`, {
        hint: 'Use a pattern that needs at least one character.',
      });
    }
    return { find: (text) => findAll((upTo, from) => searchIn(pattern.matcher(upTo), from), text) };
  });
}

function compile<Pattern>(make: () => Pattern, source: string): Pattern {
  try {
    return make();
  } catch (cause) {
    const reason = (cause as Error).message.replace(/^error parsing regexp: /, '');
    throw new ReelError('usage', `Cannot use the redaction pattern "${source}": ${reason}`, {
      hint: 'Use RE2 syntax: look-around and back-references are not supported.',
      cause,
    });
  }
}

type PatternSpan = readonly [start: number, end: number];
type PatternSearch = (upTo: string, from: number) => PatternSpan | undefined;

interface PatternSearcher {
  find(from: number): boolean;
  start(): number;
  end(): number;
}

function searchIn(searcher: PatternSearcher, from: number): PatternSpan | undefined {
  return searcher.find(from) ? [searcher.start(), searcher.end()] : undefined;
}

/**
 * Finds all matches in linear time. A single search is linear, but it may read to the end of the text before it returns
 * a short match. Many such searches would be quadratic. After some matches, each search therefore has a limited range.
 * The range grows only if there is no match or the match reaches its edge.
 */
function findAll(search: PatternSearch, text: string): DetectedSpan[] {
  const findings: DetectedSpan[] = [];
  for (let from = 0; from < text.length; ) {
    const found = findings.length < MAX_EXACT ? search(text, from) : searchAhead(search, text, from);
    if (found === undefined) break;
    const [start, end] = found;
    if (end > start) findings.push({ start, end, kind: 'pattern', rank: RANK.pattern });
    from = Math.max(end, start + 1);
  }
  return findings;
}

function searchAhead(search: PatternSearch, text: string, from: number): PatternSpan | undefined {
  for (let reach = FIRST_REACH; ; reach *= 2) {
    const edge = Math.min(text.length, from + reach);
    const found = search(text.slice(0, edge), from);
    if (edge === text.length || (found !== undefined && found[1] < edge)) return found;
  }
}
