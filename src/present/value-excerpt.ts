import { compact } from '../json/layout.ts';
import type { JsonText } from '../model/entry.ts';
import { cutEnd, widthOf } from './columns.ts';

/** How much of the common start is shown before the first difference. */
const CONTEXT = 12;
const MAX_LAID_OUT = 1 << 16;

/** Two different values on one line each: complete if they fit into `max` columns, otherwise from near the difference. */
export function excerptsOf(
  a: JsonText | undefined,
  b: JsonText | undefined,
  max: number,
): readonly [string | undefined, string | undefined] {
  const [was, is] = [a && plain(a), b && plain(b)];
  const fits = [was, is].every((text = '') => text.length <= max && widthOf(text) <= max);
  const alike = fits ? 0 : commonStart(was ?? '', is ?? '');
  const from = alike > max / 2 ? alike - CONTEXT : 0;
  return [was && excerpt(was, from, max), is && excerpt(is, from, max)];
}

export function beginningOf(value: JsonText, max: number): string {
  return excerpt(plain(value), 0, max);
}

/** Longer texts are only shown in part, so they need not be reformatted. */
function plain(text: JsonText): string {
  return text.length > MAX_LAID_OUT ? text : compact(text);
}

function commonStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}

/** A text in at most `max` columns, starting at an offset. */
function excerpt(text: string, from: number, max: number): string {
  if (from <= 0) return cutEnd(text, max);
  // Does not start inside a surrogate pair.
  const start = /[\udc00-\udfff]/.test(text.charAt(from)) ? from - 1 : from;
  return `…${cutEnd(text.slice(start), max - 1)}`;
}
