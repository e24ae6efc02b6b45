import { isOutOfFiles } from '../model/errors.ts';

/** Returns a function that reports the first error that is caused by too many open files. */
export function reportOutOfFiles(note: (line: string) => void): (error: unknown) => void {
  let isReported = false;
  return (error) => {
    if (isReported || !isOutOfFiles(error)) return;
    isReported = true;
    note('mcpreel: Too many open files: some connections fail. Raise the limit with ulimit -n.');
  };
}
