/** A replacement for a span of a text. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits to a text. They must be in order and must not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const edit of edits) {
    parts.push(text.slice(at, edit.start), edit.text);
    at = edit.end;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

/** A text after edits, of which only parts are made. The edits must be in order and must not overlap. */
export class TextWithEdits {
  readonly length: number;
  readonly #text: string;
  readonly #edits: readonly TextEdit[];

  constructor(text: string, edits: readonly TextEdit[]) {
    this.#text = text;
    this.#edits = edits;
    this.length = edits.reduce((length, edit) => length + edit.text.length - (edit.end - edit.start), text.length);
  }

  slice(start: number, end: number): string {
    const parts: string[] = [];
    // An offset in the original text, and where it is in the edited one.
    let at = 0;
    let place = 0;
    const take = (text: string): void => {
      if (place < end && place + text.length > start) parts.push(text.slice(Math.max(0, start - place), end - place));
      place += text.length;
    };
    for (const edit of this.#edits) {
      take(this.#text.slice(at, edit.start));
      take(edit.text);
      at = edit.end;
      if (place >= end) break;
    }
    if (place < end) take(this.#text.slice(at));
    return parts.join('');
  }
}

/**
 * Combines edits of a text with edits of the result into edits of the original text. The later edits must not touch
 * text that the earlier ones inserted.
 */
export function followedBy(earlier: readonly TextEdit[], later: readonly TextEdit[]): readonly TextEdit[] {
  if (earlier.length === 0) return later;
  const all: TextEdit[] = [];
  let shift = 0;
  let next = 0;
  for (const edit of later) {
    for (let known = earlier[next]; known !== undefined && known.start + shift < edit.start; known = earlier[next]) {
      all.push(known);
      shift += known.text.length - (known.end - known.start);
      next++;
    }
    all.push({ start: edit.start - shift, end: edit.end - shift, text: edit.text });
  }
  return [...all, ...earlier.slice(next)];
}

/**
 * Converts edits of a string into edits of the JSON text in which its literal starts at `at`. The string may contain
 * escapes. One pass over the literal finds the source offsets of all edits.
 */
export function inLiteral(literal: string, at: number, edits: readonly TextEdit[]): readonly TextEdit[] {
  let i = 1;
  let decoded = 0;
  let nextAt = nextEscape(literal, i);
  const sourceOf = (offset: number): number => {
    while (decoded < offset) {
      // Up to the next escape, the string and its literal are identical.
      const plain = Math.min(nextAt - i, offset - decoded);
      i += plain;
      decoded += plain;
      if (decoded < offset) {
        i += literal.charCodeAt(i + 1) === 0x75 ? 6 : 2;
        decoded++;
        nextAt = nextEscape(literal, i);
      }
    }
    return at + i;
  };
  return edits.map((edit) => {
    const start = sourceOf(edit.start);
    return { start, end: sourceOf(edit.end), text: JSON.stringify(edit.text).slice(1, -1) };
  });
}

function nextEscape(literal: string, from: number): number {
  const at = literal.indexOf('\\', from);
  return at < 0 ? Number.POSITIVE_INFINITY : at;
}
