import type { ReadProblem } from './format.ts';

/** The problems for a line and for a document whose file ends too early. */
const CUT_LINE = 'cut off in the middle';
export const CUT_DOCUMENT = 'cut off before its end';

/** Creates the problem for the last line of a trace that still grows, or that a crash cut off. */
export function tornLine(number: number): ReadProblem {
  return { place: `line ${number}`, what: CUT_LINE, effect: 'allowed' };
}

/** Returns whether a problem is a file that was cut off. */
export function isCutOff({ what }: ReadProblem): boolean {
  return what.startsWith(CUT_LINE) || what.startsWith(CUT_DOCUMENT);
}
