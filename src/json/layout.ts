import { scanString } from './scan.ts';
import { forEachToken } from './tokens.ts';

/**
 * Changing the white space of a JSON text and nothing else: every lexeme, key order and escape stays as it was.
 * `compact` and `pretty` return a text that is no JSON unchanged.
 */

/** Deeper levels stay on the line of this one, so that hostile nesting cannot turn a small text into gigabytes. */
const DEEPEST_INDENT = 64;

/** The text without any white space between its tokens. */
export function compact(text: string): string {
  if (isCompact(text)) return text;
  const parts: string[] = [];
  const isJson = forEachToken(text, (_kind, start, end) => parts.push(text.slice(start, end)));
  return isJson ? parts.join('') : text;
}

/** What stands between two strings with escapes, where there is no white space: found by the engine, run by run. */
const COMPACT_RUN = /(?:[^"\s]+|"[ !#-[\]-\uffff]*"){0,64}/y;

/** Whether there is nothing to take away: most messages are sent so. */
function isCompact(text: string): boolean {
  for (let i = 0; i < text.length; ) {
    COMPACT_RUN.lastIndex = i;
    COMPACT_RUN.test(text);
    const next = COMPACT_RUN.lastIndex;
    if (next > i) i = next;
    else if (text.charAt(i) !== '"') return false;
    else {
      i = scanString(text, i);
      // No JSON at all, which comes back as it is.
      if (i < 0) return true;
    }
  }
  return true;
}

/**
 * The text on one line, for formats that keep a value per line: each line break between tokens becomes one space.
 * A valid JSON text has no line break anywhere else.
 */
export function onOneLine(text: string): string {
  return text.includes('\n') || text.includes('\r') ? text.replace(/\r\n|[\r\n]/g, ' ') : text;
}

/** The text indented by `step` per level, each line after the first starting with `margin`. */
export function pretty(text: string, step = '  ', margin = ''): string {
  const parts: string[] = [];
  let depth = 0;
  let justOpened = false;
  // Made once per level: most of the time would go into indentations otherwise.
  const breaks: string[] = [];
  /** `inside` is the level of what the line break lays out. */
  const breakLine = (inside: number): void => {
    if (inside > DEEPEST_INDENT) return;
    const level = depth;
    breaks[level] ??= `\n${margin}${step.repeat(level)}`;
    parts.push(breaks[level]);
  };
  const isJson = forEachToken(text, (kind, start, end) => {
    const closes = kind === '}' || kind === ']';
    if (closes) depth--;
    if (justOpened !== closes && (justOpened || closes)) breakLine(closes ? depth + 1 : depth);
    justOpened = kind === '{' || kind === '[';
    if (justOpened) depth++;
    parts.push(text.slice(start, end));
    if (kind === ',') breakLine(depth);
    else if (kind === ':') parts.push(' ');
  });
  return isJson ? parts.join('') : text;
}
