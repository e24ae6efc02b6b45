import type { DOMElement } from 'ink';

interface CanvasPiece {
  readonly left: number;
  readonly text: string;
}

/**
 * Puts rows on the terminal where Ink has laid their boxes out. Rows are exact in their cells already; letting Ink take
 * them apart and join them again takes 20 ms a frame at 120×40, and this less than one.
 */
export class Canvas {
  readonly #placed = new Map<DOMElement, readonly string[]>();
  #last: string[] = [];

  place(box: DOMElement, rows: readonly string[]): void {
    this.#placed.set(box, rows);
  }

  remove(box: DOMElement): void {
    this.#placed.delete(box);
  }

  /** Forgets what is on the terminal: somebody else was there. */
  reset(): void {
    this.#last = [];
  }

  /** What has to be written for the terminal to show what is placed now; empty if it does. */
  paint(height: number): string {
    const lines = this.#lines(height);
    const changes = lines.flatMap((line, y) => (line === this.#last[y] ? [] : [`\u001b[${y + 1};1H${line}`]));
    this.#last = lines;
    return changes.length === 0 ? '' : `${BEGIN}${changes.join('')}${END}`;
  }

  #lines(height: number): string[] {
    const lines: CanvasPiece[][] = Array.from({ length: height }, () => []);
    for (const [box, rows] of this.#placed) {
      const { left, top } = placeOf(box);
      for (const [i, text] of rows.entries()) lines[top + i]?.push({ left, text });
    }
    // Every piece is put at its own column: a terminal that takes a character for wider than we do moves nothing else.
    return lines.map((pieces) =>
      pieces
        .toSorted((a, b) => a.left - b.left)
        .map(({ left, text }) => `\u001b[${left + 1}G${text}`)
        .join(''),
    );
  }
}

/** Terminals that can do so show a frame at once; the others pass over this. */
const BEGIN = '\u001b[?2026h';
const END = '\u001b[?2026l';

function placeOf(box: DOMElement): { readonly left: number; readonly top: number } {
  let left = 0;
  let top = 0;
  for (let node: DOMElement | undefined = box; node !== undefined; node = node.parentNode) {
    left += node.yogaNode?.getComputedLeft() ?? 0;
    top += node.yogaNode?.getComputedTop() ?? 0;
  }
  return { left, top };
}
