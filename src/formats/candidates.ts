import { decodeUtf8 } from '../json/lines.ts';
import { ObjectView } from '../json/object-view.ts';
import { documentSpan } from '../json/scan.ts';
import { type ByteRange, elementsIn, notWhole } from './children.ts';
import type { ReadProblem, ReadReport, Source } from './format.ts';
import { linesOf } from './reading.ts';

/** A line or an element that may be a message, or another tool's record of one, and where it stands. */
export interface MessageCandidate {
  readonly place: string;
  /** The number of its line or element, from 1. */
  readonly line: number;
  /** Absent where it is no UTF-8. */
  readonly text: string | undefined;
}

/** The lines of a source, one candidate each. */
export async function* candidatesInLines(source: Source, report: ReadReport): AsyncGenerator<MessageCandidate[]> {
  for await (const lines of linesOf(source, report)) {
    yield lines.map(({ number, text }) => ({ place: `line ${number}`, line: number, text }));
  }
}

/** The elements of the array that stands at this place of a source. */
export async function* candidatesInArray(
  source: Source,
  place: ByteRange,
  report: ReadReport,
): AsyncGenerator<MessageCandidate[]> {
  for await (const children of elementsIn(source, place, (fault) => report(notWhole('array', fault)))) {
    yield children.map((child) => ({
      place: `element ${child.index}`,
      line: child.index + 1,
      text: child.bytes && decodeUtf8(child.bytes),
    }));
  }
}

/** A candidate as a view. Where it is no object, that is reported. */
export function viewOf(candidate: MessageCandidate, report: ReadReport): ObjectView | undefined {
  const { place, line, text } = candidate;
  const view = text === undefined ? undefined : ObjectView.of(text);
  if (view !== undefined) return view;
  if (text === undefined || documentSpan(text) === undefined) report(invalidJson(candidate));
  else report({ place, what: 'not a JSON object', contract: mustBeObject(line) });
  return undefined;
}

/** What is said of a candidate that is no JSON. */
export function invalidJson({ place, line }: MessageCandidate): ReadProblem {
  return { place, what: 'invalid JSON', contract: `invalid JSON on line ${line}` };
}

/** What the import contract says of one that is something else than an object. */
export function mustBeObject(line: number): string {
  return `MCP event at source line ${line} must be a JSON object`;
}
