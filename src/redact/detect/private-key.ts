import { type DetectedSpan, type Detector, RANK } from './detector.ts';

const KIND = 'private-key';
const BEGIN = '-----BEGIN (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----';
const END = /-----END [A-Z0-9 ]{0,60}-----/y;
/** Longer than any key. A key without an end marker within this distance ends where its lines end. */
const MAX_KEY = 1 << 16;
/** More lines than any key has. */
const MAX_LINES = 400;
/** After this many consecutive lines that cannot be part of a key, the key counts as unfinished. */
const MAX_STRANGERS = 3;

/** Detects a PEM private key within one string. */
export const PRIVATE_KEY: Detector = {
  kind: KIND,
  anchors: ['-BEG'],
  lead: 4,
  pattern: new RegExp(BEGIN, 'dy'),
  hint: /-----BEGIN /y,
  anywhere: true,
  endOf: keyEnd,
};

function keyEnd(text: string, from: number): number | undefined {
  const marker = text.indexOf('-----', from);
  END.lastIndex = marker;
  if (marker >= 0 && marker - from <= MAX_KEY && END.test(text)) {
    // A sentence about the two markers has no key between them.
    return /[A-Za-z0-9+/=]{16}/.test(text.slice(from, marker)) ? END.lastIndex : undefined;
  }
  const end = keyLinesEnd(text, from);
  return end > from ? end : undefined;
}

const KEY_LINE =
  /(?:\s|\\[rn]){1,8}(?:[A-Za-z0-9+/=]{16}[A-Za-z0-9+/=]*|(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash): [^\r\n\\]{1,80})/y;
const LAST_LINE = /(?:\s|\\[rn]){1,4}[A-Za-z0-9+/]{1,15}={1,2}/y;

/** Returns the end of the lines of a key that has no end marker. */
function keyLinesEnd(text: string, from: number): number {
  let end = from;
  for (const line of [KEY_LINE, LAST_LINE]) {
    line.lastIndex = end;
    while (line.test(text)) end = line.lastIndex;
  }
  return end;
}

const LINE_OF_KEY = /[A-Za-z0-9+/=]{16}|=$|^\W*$|^(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash):/;

/** Tracks private keys that a program prints line by line, with each line in a separate entry. */
export class KeyLines {
  #inside = false;
  #lines = 0;
  #strangers = 0;

  /** Whether a line is the first one of a private key, alone. */
  static areBegunBy(line: string): boolean {
    return /^-----BEGIN [A-Z0-9 ]{1,60}-----\s*$/.test(line);
  }

  /** Whether a key has begun and not ended. */
  get inside(): boolean {
    return this.#inside;
  }

  /** Returns the spans of the next line that belong to a multi-line key. */
  take(line: string): readonly DetectedSpan[] {
    return this.#inside ? this.#continue(line) : this.#begin(line);
  }

  #begin(line: string): readonly DetectedSpan[] {
    const last = [...line.matchAll(new RegExp(BEGIN, 'g'))].at(-1);
    if (last === undefined) return [];
    const after = last.index + last[0].length;
    const end = keyEnd(line, after) ?? after;
    if (line.includes('-----END', after) || !/^(?:\s|\\[rn]|["']){0,16}$/.test(line.slice(end))) return [];
    this.#inside = true;
    this.#lines = 0;
    this.#strangers = 0;
    return [finding(last.index, line.length)];
  }

  #continue(line: string): readonly DetectedSpan[] {
    const marker = line.indexOf('-----END');
    if (marker >= 0) {
      this.#inside = false;
      END.lastIndex = marker;
      return [finding(0, END.test(line) ? END.lastIndex : line.length)];
    }
    this.#lines++;
    this.#strangers = LINE_OF_KEY.test(line.trim()) ? 0 : this.#strangers + 1;
    this.#inside = this.#lines <= MAX_LINES && this.#strangers <= MAX_STRANGERS;
    return this.#inside && line !== '' ? [finding(0, line.length)] : [];
  }
}

function finding(start: number, end: number): DetectedSpan {
  return { start, end, kind: KIND, rank: RANK.shape };
}
