import { JsonPaths, type PathState, type PathSteps } from '../../json/json-path.ts';
import { decodeString, scanString } from '../../json/scan.ts';
import type { TextChange } from './set-value.ts';
import { SplicedText, walkValues } from './walk-values.ts';

/** A span of a string, and what is to stand there. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export type FindReplacements = (text: string) => readonly Replacement[];

/** What is wrong with a pattern, or with the text in place of what it finds. */
export interface ReplacementFault {
  readonly in: 'pattern' | 'with';
  readonly offset: number;
  readonly why: string;
}

/**
 * Compiles a pattern in RE2's syntax, and what is to stand where it matches: `$1` to `$9` are its groups, `$0` is all of
 * the match, `$$` is a dollar.
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

/** Texts, and the numbers of groups between them. */
function readTemplate(template: string, groups: number): (string | number)[] | ReplacementFault {
  const pieces: (string | number)[] = [];
  let at = 0;
  for (const match of template.matchAll(/\$(?:(\d)|(\$)|)/g)) {
    const [whole, digit, dollar] = match;
    pieces.push(template.slice(at, match.index));
    at = match.index + whole.length;
    if (dollar !== undefined) pieces.push(dollar);
    else if (digit === undefined) return { in: 'with', offset: match.index, why: 'A dollar is written $$' };
    else if (Number(digit) <= groups) pieces.push(Number(digit));
    else return { in: 'with', offset: match.index, why: `The pattern has no group ${digit}` };
  }
  pieces.push(template.slice(at));
  return pieces;
}

interface SeenReplacements {
  readonly paths: PathState;
  /** Whether the strings in it are looked at. */
  readonly isInside: boolean;
  readonly isMessage: boolean;
}

/** What makes a message a message: changing it by accident would break more than was meant. */
const ENVELOPE: ReadonlySet<string | number> = new Set(['jsonrpc', 'id', 'method']);

/**
 * Replaces what is found in the strings of a message: in all of them, or in those that a path leads to or that stand
 * below. Keys and the envelope are left alone, and so is every character that was not found.
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

/** Tells where the characters of a string stand in its literal, if they are asked for in order. */
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
