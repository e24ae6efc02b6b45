import { MessageDocument, type ShownDocument } from '../payload/document.ts';
import { stepOf } from './key.ts';

/** How many more rows are laid out when the user jumps to the end. */
const TO_THE_END = 50_000;

/** The detail pane's state: the rows of a message, the cursor and the search text. */
export class DetailPane {
  #key: string | undefined;
  #document: MessageDocument | undefined;
  #row = 0;
  #top = 0;
  search: string | undefined;

  get document(): MessageDocument | undefined {
    return this.#document;
  }

  get row(): number {
    return this.#row;
  }

  /** Shows a message; keeps the scroll position if it is the same one. */
  show(key: string, shown: ShownDocument, width: number): void {
    const before = this.#document?.shown;
    const isSame = this.#key === key && before?.text === shown.text && before.original === shown.original;
    if (isSame && wordsOf(before) === wordsOf(shown)) {
      this.#document = this.#document?.resized(width);
      return;
    }
    if (this.#key !== key) {
      this.#row = 0;
      this.#top = 0;
    }
    this.#key = key;
    this.#document = new MessageDocument(shown, width);
  }

  /** Handles a key: moves the cursor, by `page` rows for a page key, or folds and unfolds. */
  press(name: string, page: number): void {
    const step = stepOf(name, page);
    if (step !== undefined) this.moveBy(step);
    else if (name === 'g' || name === 'home') this.moveTo(0);
    else if (name === 'G' || name === 'end') this.moveToEnd();
    else if (name === ' ') this.toggle();
    else if (name === 'left') this.toggle('folded');
    else if (name === 'right') this.toggle('open');
  }

  moveBy(count: number): void {
    this.moveTo(this.#row + count);
  }

  moveTo(row: number): void {
    this.#document?.ensure(row + 1);
    this.#row = Math.max(0, Math.min((this.#document?.length ?? 1) - 1, row));
  }

  moveToEnd(): void {
    this.#document?.ensure(this.#document.length + TO_THE_END);
    this.moveTo((this.#document?.length ?? 1) - 1);
  }

  toggle(requested?: 'folded' | 'open'): void {
    this.#document?.toggle(this.#row, requested);
  }

  /** Moves to the next match; returns whether there is one. */
  find(step: 1 | -1, from: number = this.#row + step): boolean {
    if (this.search === undefined || this.search === '') return true;
    const found = this.#document?.find(this.search, from, step);
    if (found !== undefined) this.#row = found;
    return found !== undefined;
  }

  /** The first row of a window of this height that contains the cursor. */
  topFor(height: number): number {
    this.#document?.ensure(this.#top + height);
    this.#row = Math.max(0, Math.min(this.#row, (this.#document?.length ?? 1) - 1));
    if (this.#row < this.#top) this.#top = this.#row;
    else if (this.#row >= this.#top + height) this.#top = this.#row - height + 1;
    return this.#top;
  }
}

function wordsOf({ above = [] }: ShownDocument): string {
  return above.map((spans) => spans.map(({ text }) => text).join('')).join('\n');
}
