import { contractPlace } from '../analysis/import/source-place.ts';
import { decodeUtf8 } from '../json/lines.ts';
import { ObjectView } from '../json/object-view.ts';
import { documentSpan } from '../json/scan.ts';
import { type ByteRange, elementsIn, notWhole } from './children.ts';
import type { ReadProblem, ReadReport, Source } from './format.ts';
import { linesOf } from './reading.ts';

/** A line or an element that may be a message or another tool's record of one, with its location. */
export interface MessageCandidate {
  readonly place: string;
  /** The number of its line or element, from 1. */
  readonly line: number;
  /** Absent if it is not UTF-8. */
  readonly text: string | undefined;
}

/** Reads the lines of a source as candidates. */
export async function* candidatesInLines(source: Source, report: ReadReport): AsyncGenerator<MessageCandidate[]> {
  for await (const lines of linesOf(source, report)) {
    yield lines.map(({ number, text }) => ({ place: `line ${number}`, line: number, text }));
  }
}

/** Reads the elements of the array at this range of a source as candidates. */
export async function* candidatesInArray(
  source: Source,
  place: ByteRange,
  report: ReadReport,
): AsyncGenerator<MessageCandidate[]> {
  for await (const children of elementsIn(source, place, (fault) => report(notWhole('array', fault)))) {
    yield children.map((child) => ({
      place: `element ${child.index + 1}`,
      line: child.index + 1,
      text: child.bytes && decodeUtf8(child.bytes),
    }));
  }
}

/** Parses a candidate as an object. Reports a problem if it is not one. */
export function viewOf(candidate: MessageCandidate, report: ReadReport): ObjectView | undefined {
  const { place, text } = candidate;
  const view = text === undefined ? undefined : ObjectView.of(text);
  if (view !== undefined) return view;
  if (text === undefined || documentSpan(text) === undefined) report(invalidJson(candidate));
  else report({ place, what: 'not a JSON object', contract: mustBeObject(place) });
  return undefined;
}

/** Creates the problem for a candidate that is not JSON. */
export function invalidJson({ place }: MessageCandidate): ReadProblem {
  return { place, what: 'invalid JSON', contract: `invalid JSON ${place.startsWith('line ') ? 'on' : 'in'} ${place}` };
}

/** The import contract's message for a candidate that is not an object. */
export function mustBeObject(place: string): string {
  return `MCP event at ${contractPlace(place)} must be a JSON object`;
}
