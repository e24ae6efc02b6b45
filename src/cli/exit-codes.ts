import type { ErrorCode } from '../model/errors.ts';

/** What mcpreel's own exit statuses mean. A wrapped server's status is passed on as it is. */
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
