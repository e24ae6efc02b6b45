import {
  BRACKETED,
  BREAK_BEFORE_QUOTE,
  CALL_OR_DEFAULT,
  CLOSES_FLOW,
  CUT_OFF,
  HEREDOC,
  INDENT,
  JOINED_FIELDS,
  matchAt,
  OPENING_QUOTE,
  OPENS_FLOW,
  REST_OF_LINE,
  trimmedEnd,
  UP_TO_PUNCTUATION,
  UP_TO_SPACE,
  VALUE_BELOW,
  VALUE_ON_NEXT_LINE,
} from './assignment-patterns.ts';
import type { NextOffsets } from './next-offsets.ts';

const SPACE = 0x20;
const LINE_FEED = 0x0a;
/** Values of names are at most this long. Keys in PEM have a detector of their own. */
export const MAX_VALUE: number = 1 << 16;

/** The end of a longer value is not looked at for further fields and punctuation. */
const MAX_VALUE_TRIMMED = 4096;
/** At most so much stands between a separator and the quote of a value. */
const MAX_BEFORE_QUOTE = 160;

/** A value in a text, without its quotes. */
export interface FoundValue {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
  readonly isSetting: boolean;
  /** Whether it is a field of a query or form, where words with a number count too. */
  readonly inQuery?: boolean;
}

/** Reads the value of a name from the text after it. */
export class AssignedValues {
  readonly #text: string;
  readonly #next: NextOffsets;

  constructor(text: string, next: NextOffsets) {
    this.#text = text;
    this.#next = next;
  }

  /** Lines of a YAML block, each indented as the first. */
  blockScalar(from: number, isSetting: boolean): FoundValue | undefined {
    const text = this.#text;
    const indent = matchAt(INDENT, text, from)?.[0];
    if (indent === undefined) return undefined;
    const start = from + indent.length;
    let end = this.#next.of('\n', start);
    for (let lines = 0; lines < 64 && text.startsWith(indent, end + 1) && end < text.length; lines++) {
      end = this.#next.of('\n', end + 1);
    }
    return { start, end: trimmedEnd(text, start, end), quoted: true, isSetting };
  }

  /** A value in quotes, which may be escaped any number of times. */
  quoted(at: number, isSetting: boolean): FoundValue | undefined {
    const text = this.#text;
    const opening = matchAt(OPENING_QUOTE, text, at);
    if (opening === undefined) return undefined;
    const [all, escapes = '', marks = ''] = opening;
    const isBlock = marks.length > 1 && text.charCodeAt(at + all.length) === LINE_FEED;
    const start = at + all.length + (isBlock ? 1 : 0);
    const end = this.#closingQuote(start, escapes.length, marks) ?? (marks === '"' ? this.#cutOff(start) : undefined);
    return end === undefined ? undefined : { start, end, quoted: true, isSetting };
  }

  #cutOff(start: number): number | undefined {
    return matchAt(CUT_OFF, this.#text, start) === undefined ? undefined : CUT_OFF.lastIndex;
  }

  #closingQuote(start: number, escapes: number, marks: string): number | undefined {
    const text = this.#text;
    const mark = marks.charAt(0);
    const isMultiline = marks.length > 1 || mark === '`';
    for (let at = this.#next.of(mark, start); at < text.length; at = this.#next.of(mark, at + 1)) {
      if (at - start > MAX_VALUE || (!isMultiline && this.#next.of('\n', start) < at)) return undefined;
      let backslashes = 0;
      while (backslashes < 32 && text.charCodeAt(at - 1 - backslashes) === 0x5c && at - 1 - backslashes >= start)
        backslashes++;
      const ends = escapes === 0 ? backslashes % 2 === 0 : backslashes <= escapes;
      // In SQL and YAML, two quotes in a row are one in the value.
      if (
        escapes === 0 &&
        marks === "'" &&
        at > start &&
        text.charAt(at + 1) === "'" &&
        isWordCharacter(text, at + 2)
      ) {
        at++;
        continue;
      }
      if (ends && text.startsWith(marks, at)) return at - (escapes === 0 ? 0 : backslashes);
    }
    return undefined;
  }

  /**
   * A value without quotes. On a line of its own it ends with the line, else at punctuation. `field` matches the value of
   * a field in a query, a form or a connection string.
   */
  unquoted(at: number, startsLine: boolean, field?: RegExp, isInQuotes = false): FoundValue | undefined {
    const text = this.#text;
    const inQuery = field !== undefined;
    const lineEnd = startsLine && !inQuery && !isInQuotes ? this.#next.endOfRun(UP_TO_SPACE, at) : 0;
    const ownsLine = lineEnd > at && matchAt(REST_OF_LINE, text, lineEnd) !== undefined;
    const end = ownsLine ? lineEnd : this.#next.endOfRun(field ?? UP_TO_PUNCTUATION, at);
    const next = text.slice(end, end + 2);
    const isWordInSentence = /^ [a-z]$/.test(next) && text.charCodeAt(at - 1) === SPACE;
    const endsInCode = ownsLine && text.charAt(end - 1) === ',';
    const isSetting =
      inQuery ||
      (!endsInCode && (ownsLine || (startsLine && !isWordInSentence && /^(?:$|[\s"'};\])]|,\w)/.test(next))));
    if (end - at > MAX_VALUE_TRIMMED) return { start: at, end, quoted: inQuery, isSetting, inQuery };
    const run = text.slice(at, end);
    const value = withoutClosing(run.replace(ownsLine ? JOINED_FIELDS : /[.:]+$/, '').replace(/[,;]+$/, ''));
    if (value === '') return undefined;
    return { start: at, end: at + value.length, quoted: inQuery, isSetting, inQuery };
  }

  /** A value in brackets that a language uses as quotes. */
  bracketed(at: number): FoundValue | undefined {
    const { indices } = matchAt(BRACKETED, this.#text, at) ?? {};
    const raw = indices?.[2];
    const [start, end] = raw ?? indices?.[1] ?? [0, 0];
    return end > start ? { start, end, quoted: raw !== undefined, isSetting: false } : undefined;
  }

  /** The value on the line after a mark, alone. */
  afterMark(at: number, isSetting: boolean): FoundValue | undefined {
    const mark = matchAt(HEREDOC, this.#text, at);
    const value = mark && this.unquoted(at + mark[0].length, isSetting);
    return value && { ...value, quoted: true };
  }

  /** The value in quotes, which may be on the next line, or in a call, or the default of another value. */
  quotedNear(from: number, separator: string, isSetting: boolean): FoundValue | undefined {
    const text = this.#text;
    // Most values have no quotes, which costs less to see than what may stand before a quote.
    if (this.#nextQuote(from) > from + MAX_BEFORE_QUOTE) return undefined;
    const lineBreak = separator.endsWith('=') ? matchAt(BREAK_BEFORE_QUOTE, text, from) : undefined;
    const at = from + (lineBreak?.[0].length ?? 0);
    const wrapper = matchAt(CALL_OR_DEFAULT, text, at);
    return this.quoted(at + (wrapper?.[0].length ?? 0), isSetting && wrapper === undefined);
  }

  #nextQuote(from: number): number {
    return Math.min(this.#next.of('"', from), this.#next.of("'", from), this.#next.of('`', from));
  }

  /** A value in YAML on the line after its name, alone. */
  onNextLine(at: number): FoundValue | undefined {
    const below = matchAt(VALUE_BELOW, this.#text, at);
    const lead = below ?? matchAt(VALUE_ON_NEXT_LINE, this.#text, at);
    if (lead === undefined) return undefined;
    const from = at + lead[0].length;
    return this.quoted(from, true) ?? this.unquoted(from, true);
  }

  /** A value within the quotes that begin before its name, as in `"NAME=value"`. */
  inQuotesOf(nameStart: number, at: number): FoundValue | undefined {
    const text = this.#text;
    const mark = text.charAt(nameStart - 1);
    if (mark !== '"' && mark !== "'") return undefined;
    const end = this.#next.of(mark, at);
    if (end === text.length || end - at > MAX_VALUE_TRIMMED) return undefined;
    const value = text
      .slice(at, end)
      .replace(/\\{1,16}$/, '')
      .replace(JOINED_FIELDS, '');
    return value === '' || /\s/.test(value)
      ? undefined
      : { start: at, end: at + value.length, quoted: true, isSetting: true };
  }

  /** A value of a mapping in braces, on a line that is not code. */
  inFlow(nameStart: number, at: number): FoundValue | undefined {
    const text = this.#text;
    if (!OPENS_FLOW.test(text.slice(Math.max(0, nameStart - 200), nameStart))) return undefined;
    const value = this.unquoted(at, false);
    const isFlow = value !== undefined && matchAt(CLOSES_FLOW, text, value.end) !== undefined;
    return isFlow ? { ...value, isSetting: true } : undefined;
  }
}

function isWordCharacter(text: string, at: number): boolean {
  return /\w/.test(text.charAt(at));
}

/** A bracket that closes what was opened before the value is not part of it. */
function withoutClosing(value: string): string {
  const closed = /^([^()[\]{}]{4,})[)\]}]+$/.exec(value)?.[1];
  return closed ?? value;
}
