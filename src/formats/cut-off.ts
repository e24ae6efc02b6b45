import type { ReadProblem } from './format.ts';

/** What is wrong with a line, and with a document, whose file ends too early. */
export const CUT_LINE = 'cut off in the middle';
export const CUT_DOCUMENT = 'cut off before its end';

/** Whether a problem is that a file ends in the middle of something. */
export function isCutOff({ what }: ReadProblem): boolean {
  return what.startsWith(CUT_LINE) || what.startsWith(CUT_DOCUMENT);
}
