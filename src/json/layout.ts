import { scanString } from './scan.ts';
import { forEachToken } from './tokens.ts';

/**
 * Changes the white space of JSON text and nothing else: lexemes, key order and escapes stay. `compact` and `pretty`
 * return a text that is not JSON unchanged.
 */

/** Deeper levels are not put on lines of their own, so that hostile nesting cannot turn a small text into gigabytes. */
const DEEPEST_INDENT = 64;

/** The text without white space between its tokens. */
export function compact(text: string): string {
  if (isCompact(text)) return text;
  const parts: string[] = [];
  const isJson = forEachToken(text, (_kind, start, end) => parts.push(text.slice(start, end)));
  return isJson ? parts.join('') : text;
}

/** A run of tokens without white space, up to a string with escapes. A regular expression scans it natively. */
const COMPACT_RUN = /(?:[^"\s]+|"[ !#-[\]-\uffff]*"){0,64}/y;

/** Whether the text has no white space to remove, as most messages do not. */
function isCompact(text: string): boolean {
  for (let i = 0; i < text.length; ) {
    COMPACT_RUN.lastIndex = i;
    COMPACT_RUN.test(text);
    const next = COMPACT_RUN.lastIndex;
    if (next > i) i = next;
    else if (text.charAt(i) !== '"') return false;
    else {
      i = scanString(text, i);
      // The text is not JSON, so the caller returns it unchanged.
      if (i < 0) return true;
    }
  }
  return true;
}

/**
 * Replaces each line break between tokens with one space, for formats with one value per line. Valid JSON has no line
 * breaks anywhere else.
 */
export function onOneLine(text: string): string {
  return text.includes('\n') || text.includes('\r') ? text.replace(/\r\n|[\r\n]/g, ' ') : text;
}

/** Indents the text by `step` per level; each line after the first starts with `margin`. */
export function pretty(text: string, step = '  ', margin = ''): string {
  const parts: string[] = [];
  let depth = 0;
  let justOpened = false;
  // Indentations are cached per level, because building them would take most of the time.
  const breaks: string[] = [];
  /** `inside` is the level of the value that the line break is for. */
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
