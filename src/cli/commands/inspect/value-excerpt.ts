import { compact } from '../../../json/layout.ts';
import type { JsonText } from '../../../model/entry.ts';

/** So much of what both values begin with is shown before the first difference. */
const CONTEXT = 12;
const MAX_LAID_OUT = 1 << 16;

/** Two values that differ, whole if they fit into so many characters, else from about where they begin to differ. */
export function excerptsOf(
  a: JsonText | undefined,
  b: JsonText | undefined,
  max: number,
): readonly [string | undefined, string | undefined] {
  const [was, is] = [a && plain(a), b && plain(b)];
  const fits = Math.max(was?.length ?? 0, is?.length ?? 0) <= max;
  const alike = fits ? 0 : commonStart(was ?? '', is ?? '');
  const from = alike > max / 2 ? alike - CONTEXT : 0;
  return [was && excerpt(was, from, max), is && excerpt(is, from, max)];
}

/** The beginning of a value. */
export function beginningOf(value: JsonText, max: number): string {
  return excerpt(plain(value), 0, max);
}

/** Longer texts are shown in their first part at most, so they need not be laid out. */
function plain(text: JsonText): string {
  return text.length > MAX_LAID_OUT ? text : compact(text);
}

/** How many characters two texts begin with alike. */
function commonStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}

/** So many characters of a text, from an offset on. */
function excerpt(text: string, from: number, max: number): string {
  const isCut = from > 0;
  // Not from the second half of a character.
  const start = isCut && /[\udc00-\udfff]/.test(text.charAt(from)) ? from - 1 : Math.max(0, from);
  const characters = [...text.slice(start, start + max * 2 + 2)];
  const room = isCut ? max - 1 : max;
  const shown = characters.length > room ? `${characters.slice(0, room - 1).join('')}…` : characters.join('');
  return isCut ? `…${shown}` : shown;
}
