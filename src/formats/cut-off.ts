import type { ReadProblem } from './format.ts';

/** The problems for a line and for a document whose file ends too early. */
export const CUT_LINE = 'cut off in the middle';
export const CUT_DOCUMENT = 'cut off before its end';

/** Returns whether a problem is a file that was cut off. */
export function isCutOff({ what }: ReadProblem): boolean {
  return what.startsWith(CUT_LINE) || what.startsWith(CUT_DOCUMENT);
}
