/**
 * The start of a text: at most this many code units, and never half a character. Half a pair or a joiner without its
 * second letter would be shown as an escape.
 */
export function textHead(text: string, length: number): string {
  return text.length <= length
    ? text
    : text.slice(0, length).replace(/(?<![\ud800-\udbff\u200c\u200d])[\ud800-\udbff\u200c\u200d]+$/, '');
}

/** The same with `…` if the text was longer. */
export function cutText(text: string, length: number): string {
  return text.length <= length ? text : `${textHead(text, length)}…`;
}
