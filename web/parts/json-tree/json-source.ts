import { scanValue } from '../../../src/json/scan.ts';
import { forEachToken } from '../../../src/json/tokens.ts';

/** A text of which nodes are parts: a document, or JSON that stands in a string of one. It is known to be JSON. */
export class JsonSource {
  readonly text: string;
  /** What names of nodes in it begin with. */
  readonly prefix: string;
  /** How a path goes on from the node that it stands in. */
  readonly oneTimeLink: string;
  /** How many strings it stands in. */
  readonly embedding: number;
  #ends: ReadonlyMap<number, number> | undefined;

  constructor(text: string, prefix = '', oneTimeLink = '', embedding = 0) {
    this.text = text;
    this.prefix = prefix;
    this.oneTimeLink = oneTimeLink;
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

/** Shorter texts, and containers, are scanned as often as somebody asks. */
const SHORT = 1 << 14;
const SHORT_CONTAINER = 256;

/** Where the longer containers end. Without it a text of many levels would be scanned to its end once for each of them. */
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
