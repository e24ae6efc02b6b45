import type { ErrorCode } from '../model/errors.ts';

/** mcpreel's own exit statuses. The status of a wrapped server is passed on unchanged. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  doesNotHold: 3,
  interrupted: 130,
} as const;

export function exitCodeFor(code: ErrorCode): number {
  return code === 'usage' ? EXIT.usage : EXIT.failed;
}
