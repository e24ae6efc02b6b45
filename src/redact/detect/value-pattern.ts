import { ReelError } from '../../model/errors.ts';
import { type DetectedSpan, RANK } from './detector.ts';

/** A pattern that the user gave. */
export interface ValuePattern {
  /** Finds the matches in a string, in time linear in its length. */
  find(text: string): DetectedSpan[];
}

/** All searches in a text may read so many times its length, and so many characters more. */
const MAX_READINGS = 32;
const MIN_BUDGET = 1 << 20;
/** Looking for a fixed text is so many times as fast as matching. */
const FIXED_SPEED = 32;

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
    return {
      find: (text) => {
        const read = new ReadText(text);
        const matcher = pattern.matcher(read as unknown as string);
        return findAll(matcher, read);
      },
    };
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

interface PatternMatcher {
  find(from: number): boolean;
  start(): number;
  end(): number;
}

/**
 * Finds all matches in linear time. A single search is linear, but it may read to the end of the text before it returns
 * a short match, and many such searches would be quadratic. If they read too much, the rest of the text counts as a
 * match.
 */
function findAll(matcher: PatternMatcher, text: ReadText): DetectedSpan[] {
  const findings: DetectedSpan[] = [];
  const budget = MIN_BUDGET + MAX_READINGS * text.length;
  for (let from = 0; from < text.length && matcher.find(from); ) {
    const start = matcher.start();
    const end = text.read > budget ? text.length : matcher.end();
    if (end > start) findings.push({ start, end, kind: 'pattern', rank: RANK.pattern });
    from = Math.max(end, start + 1);
  }
  return findings;
}

/** A text that counts how much of it is read. */
class ReadText extends String {
  read = 0;
  readonly #text: string;

  constructor(text: string) {
    super(text);
    this.#text = text;
  }

  override charCodeAt(at: number): number {
    this.read++;
    return this.#text.charCodeAt(at);
  }

  override indexOf(part: string, from = 0): number {
    const at = this.#text.indexOf(part, from);
    this.read += ((at < 0 ? this.#text.length : at) - from) / FIXED_SPEED;
    return at;
  }
}
