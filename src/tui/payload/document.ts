import { pretty } from '../../json/layout.ts';
import { diffLines, withContext } from '../../json/line-diff.ts';
import type { Style, StyledSpan } from '../view/styled-row.ts';
import { type PayloadLine, payloadLines } from './payload-line.ts';
import { type PayloadRow, PayloadRows } from './payload-rows.ts';

/** The content of the detail pane: the payload of a message, and the changes made to it, if any. */
export interface ShownDocument {
  /** The text that was or will be sent; may be empty. */
  readonly text: string;
  /** The text as received, if a different one was sent. */
  readonly original: string | undefined;
  /** Lines to show above the payload. */
  readonly above?: readonly (readonly StyledSpan[])[] | undefined;
}

const CONTEXT = 3;
/** Longer texts are not compared, because that means laying them out twice. */
const MAX_COMPARED = 1 << 21;

const DIFF_STYLES: Readonly<Record<' ' | '-' | '+', Style>> = { ' ': 'plain', '-': 'error', '+': 'ok' };

/** The rows of a message at a given width, with its folding state. */
export class MessageDocument {
  readonly shown: ShownDocument;
  readonly width: number;
  readonly #folded: Set<string> = new Set();
  #rows: PayloadRows;

  constructor(shown: ShownDocument, width: number, folded: Iterable<string> = []) {
    this.shown = shown;
    this.width = width;
    this.#folded = new Set(folded);
    this.#rows = this.#layOut();
  }

  /** The same message at another width. */
  resized(width: number): MessageDocument {
    return width === this.width ? this : new MessageDocument(this.shown, width, this.#folded);
  }

  get length(): number {
    return this.#rows.length;
  }

  get isComplete(): boolean {
    return this.#rows.isComplete;
  }

  ensure(count: number): void {
    this.#rows.ensure(count);
  }

  row(index: number): PayloadRow | undefined {
    return this.#rows.row(index);
  }

  /** Folds or unfolds the object or array that begins in this row. */
  toggle(index: number, requested?: 'folded' | 'open'): void {
    const row = this.row(index);
    if (row?.fold === undefined || requested === (row.isFolded ? 'folded' : 'open')) return;
    if (row.isFolded) this.#folded.delete(row.fold);
    else this.#folded.add(row.fold);
    this.#rows = this.#layOut();
    this.#rows.ensure(index + 1);
  }

  /** The next row from `from` on that contains this text, wrapping around. Matches may span rows. */
  find(words: string, from: number, step: 1 | -1): number | undefined {
    const requested = words.toLowerCase();
    this.ensure(MAX_SEARCHED);
    const count = this.length;
    for (let i = 0; i < count; i++) {
      const index = (((from + step * i) % count) + count) % count;
      const at = this.#textFrom(index, requested.length).indexOf(requested);
      if (at >= 0 && at < this.#textOf(index).length) return index;
    }
    return undefined;
  }

  #textFrom(index: number, more: number): string {
    let text = this.#textOf(index);
    const enough = text.length + more;
    for (let next = index + 1; text.length < enough && this.row(next)?.continues; next++) text += this.#textOf(next);
    return text.toLowerCase();
  }

  #textOf(index: number): string {
    return (
      this.row(index)
        ?.spans.map(({ text }) => text)
        .join('') ?? ''
    );
  }

  #layOut(): PayloadRows {
    return new PayloadRows(this.#lines(), this.width);
  }

  *#lines(): Generator<PayloadLine> {
    const { text, original, above = [] } = this.shown;
    for (const spans of above) yield lineOf(spans);
    if (original !== undefined) yield* changes(original, text);
    if (text !== '') yield* payloadLines(text, (fold) => this.#folded.has(fold));
  }
}

/** The number of rows that a search covers. */
const MAX_SEARCHED = 200_000;

function* changes(original: string, sent: string): Generator<PayloadLine> {
  yield line('original (-) and sent message (+)', 'dim');
  if (original.length + sent.length > MAX_COMPARED) {
    yield line('too long to compare', 'dim');
  } else {
    const lines = diffLines(pretty(original).split('\n'), pretty(sent).split('\n'));
    for (const changed of withContext(lines, CONTEXT)) {
      if (changed === undefined) yield line('  ⋮', 'dim');
      else yield line(`${changed.mark} ${changed.text}`, DIFF_STYLES[changed.mark]);
    }
  }
  yield line('', 'plain');
}

function line(text: string, style: Style): PayloadLine {
  return lineOf([{ text, style }]);
}

function lineOf(spans: readonly StyledSpan[]): PayloadLine {
  const stretches = spans.map(({ text, style }) => ({ source: text, start: 0, end: text.length, style }));
  return { depth: 0, stretches, fold: undefined, isFolded: false };
}
