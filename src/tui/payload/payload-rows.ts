import { takeColumns } from '../../present/columns.ts';
import type { StyledSpan } from '../view/styled-row.ts';
import type { PayloadLine, TextStretch } from './payload-line.ts';

/** One screen row of a payload. */
export interface PayloadRow {
  readonly indent: number;
  readonly spans: readonly StyledSpan[];
  /** Whether it continues the line of the previous row. */
  readonly continues: boolean;
  readonly fold: string | undefined;
  readonly isFolded: boolean;
}

const INDENT = 2;
/** Below this width nothing is readable anyway. */
const NARROWEST = 8;
const MAX_ESCAPE = 6;

/** The rows of a payload at a given width, laid out on demand, even within a long line. */
export class PayloadRows {
  readonly #source: Generator<PayloadRow>;
  readonly #rows: PayloadRow[] = [];
  #isComplete = false;

  constructor(lines: Iterable<PayloadLine>, width: number) {
    this.#source = layOut(lines, Math.max(NARROWEST, width));
  }

  /** The number of rows laid out; all of them once `isComplete`. */
  get length(): number {
    return this.#rows.length;
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Lays out at least this many rows, if there are enough. */
  ensure(count: number): void {
    while (!this.#isComplete && this.#rows.length < count) {
      const next = this.#source.next();
      if (next.done) this.#isComplete = true;
      else this.#rows.push(next.value);
    }
  }

  row(index: number): PayloadRow | undefined {
    this.ensure(index + 1);
    return this.#rows[index];
  }
}

function* layOut(lines: Iterable<PayloadLine>, width: number): Generator<PayloadRow> {
  for (const { depth, stretches, fold, isFolded } of lines) {
    const indent = Math.min(depth * INDENT, Math.floor(width / 2));
    let continues = false;
    for (const spans of rowsOf(stretches, width - indent)) {
      yield { indent, spans, continues, fold: continues ? undefined : fold, isFolded };
      continues = true;
    }
  }
}

function* rowsOf(stretches: readonly TextStretch[], width: number): Generator<readonly StyledSpan[]> {
  let spans: StyledSpan[] = [];
  let room = width;
  for (const { source, start, end, style } of stretches) {
    for (let at = start; at < end; ) {
      const taken = room > 0 ? takeColumns(source, at, end, room) : undefined;
      if (taken === undefined || (taken.isTooWide && room < width)) {
        yield spans;
        spans = [];
        room = width;
        continue;
      }
      const stop = style === 'string' ? stopIn(source, at, taken.end, end) : undefined;
      const { text, width: used, end: next } = stop === undefined ? taken : takeColumns(source, at, stop, room);
      spans.push({ text, style, isTaken: true });
      // What did not fit goes to the next row, however much room is left.
      room = stop === undefined && next >= end ? room - used : 0;
      at = next;
    }
  }
  yield spans;
}

const ESCAPE = /\\(?:u[\da-fA-F]{4}|[^u])?/g;

/** The best end of a row within a string: after an escaped line break, and never inside an escape. */
function stopIn(source: string, start: number, rowEnd: number, end: number): number | undefined {
  const text = source.slice(start, Math.min(end, rowEnd + MAX_ESCAPE));
  for (const { 0: found, index } of text.matchAll(ESCAPE)) {
    const from = start + index;
    const to = from + found.length;
    if (from >= rowEnd) return undefined;
    if (to > rowEnd) return from > start ? from : undefined;
    if (found === '\\n' && to < end - 1) return to;
  }
  return undefined;
}
