import { compact, pretty } from '../../../src/json/layout.ts';
import type { JsonText } from '../../../src/model/entry.ts';

/** An excerpt of a value, shown next to another value: the common start and end, and the part that differs. */
export interface DiffExcerpt {
  readonly before: string;
  readonly differs: string;
  readonly after: string;
  /** Whether text before or after the excerpt is left out. */
  readonly isCut: boolean;
}

/** Longer texts are shown without formatting. */
const MAX_LAID_OUT = 1 << 16;
const MAX_LINE = 80;
/** The maximum length of an excerpt, and of its part before the difference. */
const MOST = 1200;
const CONTEXT = 120;

/** Excerpts of two values with the part that differs. A missing value stays undefined. */
export function excerptsOf(
  a: JsonText | undefined,
  b: JsonText | undefined,
): { readonly a: DiffExcerpt | undefined; readonly b: DiffExcerpt | undefined } {
  if (a === undefined || b === undefined) return { a: alone(a), b: alone(b) };
  const [was, is] = [readable(a), readable(b)];
  const start = commonStart(was, is);
  const end = commonEnd(was, is, start);
  return { a: excerpt(was, start, end), b: excerpt(is, start, end) };
}

/** Formats long JSON; shows a string of several lines as these lines. */
function readable(json: JsonText): string {
  if (json.length > MAX_LAID_OUT) return json;
  if (json.startsWith('"') && /\\n/.test(json)) {
    try {
      return JSON.parse(json) as string;
    } catch {
      return json;
    }
  }
  const line = compact(json);
  return line.length > MAX_LINE ? pretty(json) : line;
}

function alone(json: JsonText | undefined): DiffExcerpt | undefined {
  return json === undefined ? undefined : excerpt(readable(json), 0, 0);
}

function excerpt(text: string, start: number, end: number): DiffExcerpt {
  const from = start > CONTEXT * 2 ? start - CONTEXT : 0;
  const stop = text.length - end;
  const before = text.slice(from, start);
  const differs = text.slice(start, Math.min(stop, start + MOST));
  const after = text.slice(stop, stop + Math.max(0, MOST - before.length - differs.length));
  const shown = before.length + differs.length + after.length;
  return { before, differs, after, isCut: shown < text.length };
}

function commonStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return isLowSurrogate(a, at) || isLowSurrogate(b, at) ? at - 1 : at;
}

function commonEnd(a: string, b: string, start: number): number {
  const max = Math.min(a.length, b.length) - start;
  let count = 0;
  while (count < max && a.charCodeAt(a.length - 1 - count) === b.charCodeAt(b.length - 1 - count)) count++;
  return isLowSurrogate(a, a.length - count) && count > 0 ? count - 1 : count;
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}
