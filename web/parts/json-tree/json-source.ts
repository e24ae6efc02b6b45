import { scanValue } from '../../../src/json/scan.ts';
import { forEachToken } from '../../../src/json/tokens.ts';

/** A valid JSON text that nodes refer to: a document, or JSON inside a string of one. */
export class JsonSource {
  readonly text: string;
  /** The prefix of its nodes' ids. */
  readonly prefix: string;
  /** The path segment between the containing node and the nodes of this text. */
  readonly segment: string;
  /** The number of strings around it. */
  readonly embedding: number;
  #ends: ReadonlyMap<number, number> | undefined;

  constructor(text: string, prefix = '', segment = '', embedding = 0) {
    this.text = text;
    this.prefix = prefix;
    this.segment = segment;
    this.embedding = embedding;
  }

  /** The offset after the value that starts at `at`. */
  endOf(at: number): number {
    const c = this.text.charAt(at);
    if ((c !== '{' && c !== '[') || this.text.length < SHORT) return scanValue(this.text, at);
    this.#ends ??= endsIn(this.text);
    return this.#ends.get(at) ?? scanValue(this.text, at);
  }
}

/** Shorter texts and containers are scanned again each time. */
const SHORT = 1 << 14;
const SHORT_CONTAINER = 256;

/** The ends of the longer containers. Without them, a deeply nested text would be scanned to its end once per level. */
function endsIn(text: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  forEachToken(text, (kind, start, end) => {
    if (kind === '{' || kind === '[') open.push(start);
    else if (kind === '}' || kind === ']') {
      const opened = open.pop() ?? 0;
      if (end - opened >= SHORT_CONTAINER) ends.set(opened, end);
    }
  });
  return ends;
}
