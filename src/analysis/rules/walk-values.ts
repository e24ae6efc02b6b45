import { decodeString, documentSpan, scanString, scanValue, skipSpace } from '../../json/scan.ts';
import type { JsonText } from '../../model/entry.ts';

/** Callbacks for a walk through the values of a text. */
export interface ValueWalker<State> {
  /**
   * Called for each value with the state of its container. The result is the state for its children; `undefined` skips
   * them.
   */
  take(start: number, key: string | number | undefined, container: State | undefined): State | undefined;
  /** Called at the end of a container that was not skipped, with the end of its last child, if any. */
  leave?(state: State, start: number, lastEnd: number | undefined): void;
}

interface WalkLevel<State> {
  readonly state: State;
  readonly start: number;
  readonly isObject: boolean;
  /** The number of children so far. */
  count: number;
  lastEnd: number | undefined;
}

/**
 * Walks through the values of a JSON text in one pass, without recursion. It calls nothing for a text that is not JSON.
 */
export function walkValues<State>(text: JsonText, walker: ValueWalker<State>): void {
  const document = documentSpan(text);
  if (document === undefined) return;
  const open: WalkLevel<State>[] = [];

  /** Returns the offset after the value, or after its opening bracket. */
  const take = (start: number, key: string | number | undefined, outer: WalkLevel<State> | undefined): number => {
    const state = walker.take(start, key, outer?.state);
    const first = text.charAt(start);
    if (state !== undefined && (first === '{' || first === '[')) {
      open.push({ state, start, isObject: first === '{', count: 0, lastEnd: undefined });
      return start + 1;
    }
    const end = scanValue(text, start);
    if (outer !== undefined) outer.lastEnd = end;
    return end;
  };

  let i = take(document.start, undefined, undefined);
  for (let level = open.at(-1); level !== undefined; level = open.at(-1)) {
    i = skipSpace(text, i);
    const c = text.charAt(i);
    if (c === '}' || c === ']') {
      i++;
      open.pop();
      walker.leave?.(level.state, level.start, level.lastEnd);
      const outer = open.at(-1);
      if (outer !== undefined) outer.lastEnd = i;
    } else if (c === ',') {
      i++;
    } else if (level.isObject) {
      const keyEnd = scanString(text, i);
      const key = decodeString(text.slice(i, keyEnd));
      i = take(skipSpace(text, skipSpace(text, keyEnd) + 1), key, level);
    } else {
      i = take(i, level.count++, level);
    }
  }
}

/** Builds a text with some spans replaced, in ascending order. */
export class SplicedText {
  readonly #text: string;
  readonly #parts: string[] = [];
  #taken = 0;

  constructor(text: string) {
    this.#text = text;
  }

  replace(start: number, end: number, by: string): void {
    this.#parts.push(this.#text.slice(this.#taken, start), by);
    this.#taken = end;
  }

  toString(): string {
    return this.#parts.length === 0 ? this.#text : this.#parts.join('') + this.#text.slice(this.#taken);
  }
}
