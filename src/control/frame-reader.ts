import { LineSplitter } from '../json/lines.ts';

/** Why a line cannot be read. */
export type FrameFault = 'too-long' | 'not-utf8';

/** Splits the bytes of a control socket into lines of limited length. */
export class FrameReader {
  /** May change between two lines. */
  maxBytes: number;
  readonly #lines = new LineSplitter();
  readonly #onLine: (text: string) => void;
  readonly #onFault: (fault: FrameFault) => void;
  #isDone = false;

  constructor(
    maxBytes: number,
    takers: { readonly onLine: (text: string) => void; readonly onFault: (fault: FrameFault) => void },
  ) {
    this.maxBytes = maxBytes;
    this.#onLine = takers.onLine;
    this.#onFault = takers.onFault;
  }

  push(chunk: Uint8Array): void {
    for (const line of this.#isDone ? [] : this.#lines.push(chunk)) {
      if (this.#isDone) return;
      if (!('text' in line)) this.#fail(line.bytes.length > this.maxBytes ? 'too-long' : 'not-utf8');
      else if (this.#isTooLong(line.text)) this.#fail('too-long');
      else this.#onLine(line.text);
    }
    if (!this.#isDone && this.#lines.pendingBytes > this.maxBytes) this.#fail('too-long');
  }

  /** Ignores further input, and frees the pending bytes. */
  stop(): void {
    this.#isDone = true;
    this.#lines.takePending();
  }

  #fail(fault: FrameFault): void {
    this.stop();
    this.#onFault(fault);
  }

  #isTooLong(text: string): boolean {
    // A UTF-16 code unit takes one to three bytes in UTF-8.
    return text.length * 3 > this.maxBytes && Buffer.byteLength(text) > this.maxBytes;
  }
}
