import { isOutOfFiles, TOO_MANY_FILES } from '../model/errors.ts';

/**
 * Returns a function that reports the first error that is caused by too many open files. It takes errors and reasons,
 * and returns whether this was their cause.
 */
export function reportOutOfFiles(note: (line: string) => void): (error: unknown) => boolean {
  let isReported = false;
  return (error) => {
    const isCause = typeof error === 'string' ? error.endsWith(TOO_MANY_FILES) : isOutOfFiles(error);
    if (isCause && !isReported) {
      isReported = true;
      note('mcpreel: Too many open files: some connections fail. Raise the limit with ulimit -n.');
    }
    return isCause;
  };
}
