import type { TextSpan } from '../../json/scan.ts';
import type { JsonText } from '../../model/entry.ts';

/** A JSON text with some of its values taken out, each leaving a number by which it finds its place again. */
export interface TextGaps {
  readonly rest: JsonText;
  /** The text with other values in the holes. A hole that is gone stays so. */
  fill(rest: JsonText, values: readonly JsonText[]): JsonText;
}

/** Takes out the values at these spans, which are in order and do not overlap. */
export function takeOut(text: JsonText, spans: readonly TextSpan[]): TextGaps {
  const mark = unusedMark(text);
  const pieces: string[] = [];
  let at = 0;
  for (const [index, { start, end }] of spans.entries()) {
    pieces.push(text.slice(at, start), `${mark}${index}`);
    at = end;
  }
  pieces.push(text.slice(at));
  const gaps = new RegExp(`${mark.replace('.', '\\.')}(\\d+)`, 'g');
  return {
    rest: pieces.join(''),
    fill: (rest, values) => rest.replaceAll(gaps, (_, index: string) => values[Number(index)] ?? 'null'),
  };
}

/** What numbers begin with that do not occur in the text. No rule removes a number for what it is. */
function unusedMark(text: string): string {
  // Looked for all at once: a text may hold any number of them.
  const used = new Set(text.match(/-\d+\./g));
  let mark = 864;
  while (used.has(`-${mark}.`)) mark++;
  return `-${mark}.`;
}
