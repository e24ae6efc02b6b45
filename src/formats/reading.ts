import { type BinaryLine, concatBytes, LineSplitter, type TextLine } from '../json/lines.ts';
import { OPEN_BRACE } from '../json/punctuation.ts';
import { decodeString } from '../json/scan.ts';
import type { JsonText } from '../model/entry.ts';
import type { ReadOptions, ReadProblem, ReadReport, Source } from './format.ts';

/** A line of a source with its number, from 1. */
export interface NumberedLine extends TextLine {
  readonly number: number;
}

/** V8's maximum string length. A longer line cannot be decoded. */
const MAX_LINE_BYTES = 0x1fffffe8;

/** The number of requests and exchanges without a response that a reader remembers. */
export const MAX_UNPAIRED = 100_000;

const BYTE_ORDER_MARK = '\uFEFF';

/** The number of bytes in which most formats can be detected. */
const HEAD_BYTES = 4096;

/** Reads the beginning of a source, including its byte order mark. */
export async function readHead(source: Source, bytes: number = HEAD_BYTES): Promise<string> {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await readFirstBytes(source, bytes), { stream: true });
}

/** Reads the first bytes of a source. */
export async function readFirstBytes(source: Source, bytes: number = HEAD_BYTES): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  // A chunk is only valid until the next one is requested.
  for await (const chunk of source.read(0, Math.min(source.size, bytes))) chunks.push(chunk.slice());
  return concatBytes(chunks);
}

/**
 * Reads the lines of a source in batches, without blank lines and without a byte order mark. `torn` creates the problem
 * for a last line that is cut off within a character.
 */
export async function* linesOf(
  source: Source,
  onProblem: ReadReport,
  torn?: (line: number) => ReadProblem,
): AsyncGenerator<NumberedLine[]> {
  const splitter = new LineSplitter(source.quick, source.size);
  let number = 0;
  function* accept(lines: readonly (TextLine | BinaryLine)[]): Generator<NumberedLine[]> {
    let accepted: NumberedLine[] = [];
    for (const line of lines) {
      number++;
      if ('bytes' in line) {
        // Yield the lines before it first, so that their problems are reported first.
        if (accepted.length > 0) yield accepted;
        accepted = [];
        onProblem((isTorn(line) && torn?.(number)) || undecodable(line, number));
      } else {
        const text = number === 1 && line.text.startsWith(BYTE_ORDER_MARK) ? line.text.slice(1) : line.text;
        if (text.length > 0 && !isBlank(text)) accepted.push({ ...line, number, text });
      }
    }
    if (accepted.length > 0) yield accepted;
  }
  for await (const chunk of source.read(0, source.size)) yield* accept(splitter.push(chunk));
  yield* accept(splitter.end());
}

function isBlank(text: string): boolean {
  return text.charCodeAt(0) <= 0x20 && text.trim() === '';
}

function undecodable({ bytes, faultOffset }: BinaryLine, number: number): ReadProblem {
  const what =
    bytes.length > MAX_LINE_BYTES ? `longer than ${MAX_LINE_BYTES} bytes` : `not UTF-8 at byte ${faultOffset}`;
  return { place: `line ${number}`, what, contract: `line ${number} is ${what}` };
}

/** The longest UTF-8 sequence has four bytes, of which the last is missing here. */
const MAX_CUT_BYTES = 3;

/** Returns whether a line begins like an object and ends within a character. */
function isTorn({ bytes, faultOffset, ended }: BinaryLine): boolean {
  return !ended && bytes[0] === OPEN_BRACE && bytes.length - faultOffset <= MAX_CUT_BYTES;
}

/** Reports the problems of the first pass over a file. Later passes would only repeat them. */
export function oncePerFile(options: ReadOptions): () => ReadReport {
  let passes = 0;
  return () => (passes++ === 0 ? options.onProblem : () => undefined);
}

/** Decodes a valid string literal. Returns `undefined` if the text is anything else. */
export function stringOf(literal: JsonText): string | undefined {
  return literal.startsWith('"') ? decodeString(literal) : undefined;
}

/** Parses a number of up to fifteen digits. Returns `undefined` if the text is anything else. */
export function wholeNumber(text: JsonText | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
