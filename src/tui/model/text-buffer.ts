/** An editable text: its lines and the cursor position. */
export class TextBuffer {
  #lines: string[];
  #row = 0;
  #column = 0;

  constructor(text: string) {
    this.#lines = text.split('\n');
  }

  get text(): string {
    return this.#lines.join('\n');
  }

  get lineCount(): number {
    return this.#lines.length;
  }

  get row(): number {
    return this.#row;
  }

  get column(): number {
    return this.#column;
  }

  line(row: number): string {
    return this.#lines[row] ?? '';
  }

  /** Inserts text at the cursor and moves the cursor behind it. */
  insert(text: string): void {
    const pieces = text.replaceAll(/\r\n?/g, '\n').split('\n');
    const line = this.line(this.#row);
    const before = line.slice(0, this.#column) + (pieces[0] ?? '');
    const after = line.slice(this.#column);
    if (pieces.length === 1) {
      this.#lines[this.#row] = before + after;
      this.#column = before.length;
      return;
    }
    const last = pieces.at(-1) ?? '';
    this.#lines.splice(this.#row, 1, before, ...pieces.slice(1, -1), last + after);
    this.#row += pieces.length - 1;
    this.#column = last.length;
  }

  /** Starts a new line with the indentation of the current one. */
  breakLine(): void {
    const [indent = ''] = /^ */.exec(this.line(this.#row).slice(0, this.#column)) ?? [];
    this.insert(`\n${indent}`);
  }

  deleteBefore(): void {
    if (this.#column === 0 && this.#row === 0) return;
    this.moveSideways(-1);
    this.deleteAt();
  }

  deleteAt(): void {
    const line = this.line(this.#row);
    if (this.#column < line.length) {
      this.#lines[this.#row] = line.slice(0, this.#column) + line.slice(this.#column + lengthAt(line, this.#column));
    } else if (this.#row + 1 < this.#lines.length) {
      this.#lines.splice(this.#row, 2, line + this.line(this.#row + 1));
    }
  }

  /** Moves across line ends. */
  moveSideways(step: 1 | -1): void {
    const line = this.line(this.#row);
    if (step === 1) {
      if (this.#column < line.length) this.#column += lengthAt(line, this.#column);
      else if (this.#row + 1 < this.#lines.length) {
        this.#row++;
        this.#column = 0;
      }
    } else if (this.#column > 0) {
      const before = line.charCodeAt(this.#column - 1);
      const isLowHalf = before >= 0xdc00 && before <= 0xdfff && this.#column > 1;
      this.#column -= isLowHalf ? 2 : 1;
    } else if (this.#row > 0) {
      this.#row--;
      this.#column = this.line(this.#row).length;
    }
  }

  moveRows(count: number): void {
    this.#row = Math.max(0, Math.min(this.#lines.length - 1, this.#row + count));
    this.#column = Math.min(this.#column, this.line(this.#row).length);
  }

  moveToEdge(edge: 'start' | 'end'): void {
    this.#column = edge === 'start' ? 0 : this.line(this.#row).length;
  }
}

/** The length of a character in UTF-16 units: 2 beyond U+FFFF. */
function lengthAt(line: string, at: number): number {
  return (line.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}
