/** The parts of a scrolled element that matter here. */
export interface ScrolledElement {
  scrollTop: number;
  readonly clientHeight: number;
  readonly clientWidth: number;
  readonly scrollHeight: number;
  readonly scrollWidth: number;
}

/** Browsers round these lengths. */
export const ROUNDING = 1;

/**
 * Follows how much of an element has been on the screen, from its top on without gaps. A jump past what was seen ends
 * where that ends.
 */
export class SeenRange {
  #seen = 0;
  #width = -1;

  /**
   * Notes what is on the screen now; returns whether everything has been. `from` and `to` say which part of the
   * element's box is not cut off by what is around it.
   */
  covers(element: ScrolledElement, from: number, to: number): boolean {
    const { scrollTop, clientHeight, clientWidth, scrollHeight, scrollWidth } = element;
    // At another width, the text is in other lines.
    if (clientWidth !== this.#width) this.#seen = 0;
    this.#width = clientWidth;
    if (scrollTop > this.#seen) element.scrollTop = this.#seen;
    else if (to > from && scrollTop + from <= this.#seen + ROUNDING) {
      this.#seen = Math.max(this.#seen, scrollTop + Math.min(to, clientHeight));
    }
    // Text beyond the right edge has not been seen.
    return clientHeight > 0 && scrollWidth <= clientWidth + ROUNDING && this.#seen + ROUNDING >= scrollHeight;
  }
}
