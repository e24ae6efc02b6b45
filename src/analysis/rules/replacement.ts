import { JsonPaths, type PathState, type PathSteps } from '../../json/json-path.ts';
import { decodeString, scanString } from '../../json/scan.ts';
import type { TextChange } from './set-value.ts';
import { SplicedText, walkValues } from './walk-values.ts';

/** A span of a string, and its replacement. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export type FindReplacements = (text: string) => readonly Replacement[];

/** An error in a pattern, or in its replacement template. */
export interface ReplacementFault {
  readonly in: 'pattern' | 'with';
  readonly offset: number;
  readonly why: string;
}

/**
 * Compiles an RE2 pattern and its replacement template: `$1` to `$9` are groups, `$0` is the whole match, `$$` is a
 * dollar sign.
 */
export async function compileReplacement(
  pattern: string,
  template: string,
): Promise<FindReplacements | ReplacementFault> {
  const { RE2JS } = await import('re2js');
  let regex: InstanceType<typeof RE2JS>;
  try {
    regex = RE2JS.compile(pattern);
  } catch (cause) {
    return { in: 'pattern', offset: 0, why: (cause as Error).message.replace(/^error parsing regexp: /, '') };
  }
  const pieces = readTemplate(template, regex.groupCount());
  if (!Array.isArray(pieces)) return pieces;
  return (text) => {
    const found: Replacement[] = [];
    if (!regex.test(text)) return found;
    const matcher = regex.matcher(text);
    const fill = (piece: string | number): string => (typeof piece === 'string' ? piece : (matcher.group(piece) ?? ''));
    while (matcher.find()) {
      const filled = pieces.map(fill).join('');
      if (filled !== matcher.group()) found.push({ start: matcher.start(), end: matcher.end(), text: filled });
    }
    return found;
  };
}

/** Splits a template into literal texts and group numbers. */
function readTemplate(template: string, groups: number): (string | number)[] | ReplacementFault {
  const pieces: (string | number)[] = [];
  let at = 0;
  for (const match of template.matchAll(/\$(?:(\d)|(\$)|)/g)) {
    const [whole, digit, dollar] = match;
    pieces.push(template.slice(at, match.index));
    at = match.index + whole.length;
    if (dollar !== undefined) pieces.push(dollar);
    else if (digit === undefined) return { in: 'with', offset: match.index, why: 'Write a dollar sign as $$' };
    else if (Number(digit) <= groups) pieces.push(Number(digit));
    else return { in: 'with', offset: match.index, why: `The pattern has no group ${digit}` };
  }
  pieces.push(template.slice(at));
  return pieces;
}

interface SeenReplacements {
  readonly paths: PathState;
  /** Whether its strings are searched. */
  readonly isInside: boolean;
  readonly isMessage: boolean;
}

/** Members that identify a message. Changing them by accident would break more than intended. */
const ENVELOPE: ReadonlySet<string | number> = new Set(['jsonrpc', 'id', 'method']);

/**
 * Replaces matches in the strings of a message: in all strings, or in those at or below a path. Keys, the envelope and
 * all other characters stay unchanged.
 */
export function replaceIn(path: PathSteps | undefined, find: FindReplacements): TextChange {
  const paths = new JsonPaths(path === undefined ? [] : [path]);
  return (text) => {
    const spliced = new SplicedText(text);
    walkValues<SeenReplacements>(text, {
      take(start, key, container) {
        if (container === undefined || key === undefined) {
          return { paths: paths.start, isInside: path === undefined, isMessage: true };
        }
        if (container.isMessage && ENVELOPE.has(key)) return undefined;
        const { matches, state } = paths.step(container.paths, key);
        const isInside = container.isInside || matches;
        if (isInside && text.charAt(start) === '"') replaceInLiteral(text, start, find, spliced);
        return isInside || state.length > 0 ? { paths: state, isInside, isMessage: false } : undefined;
      },
    });
    return spliced.toString();
  };
}

function replaceInLiteral(text: string, start: number, find: FindReplacements, spliced: SplicedText): void {
  const literal = text.slice(start, scanString(text, start));
  const offsetOf = offsetsIn(literal);
  for (const replacement of find(decodeString(literal))) {
    const from = start + offsetOf(replacement.start);
    const to = start + offsetOf(replacement.end);
    spliced.replace(from, to, JSON.stringify(replacement.text).slice(1, -1));
  }
}

/** Maps offsets in a string to offsets in its literal; offsets must be requested in ascending order. */
function offsetsIn(literal: string): (offset: number) => number {
  let at = 1;
  let passed = 0;
  let escapeAt = literal.indexOf('\\');
  return (offset) => {
    while (escapeAt >= 0 && passed + (escapeAt - at) < offset) {
      passed += escapeAt - at + 1;
      at = escapeAt + (literal.charAt(escapeAt + 1) === 'u' ? 6 : 2);
      escapeAt = literal.indexOf('\\', at);
    }
    return at + offset - passed;
  };
}
