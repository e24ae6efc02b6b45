import { ReelError, TOO_MANY_FILES } from '../model/errors.ts';

const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EBUSY: 'in use',
  EDQUOT: 'disk quota exceeded',
  EFBIG: 'too large',
  EEXIST: 'already exists',
  EIO: 'disk error',
  EISDIR: 'is a folder',
  ELOOP: 'too many links',
  EMFILE: TOO_MANY_FILES,
  ENAMETOOLONG: 'name too long',
  ENFILE: TOO_MANY_FILES,
  ENOENT: 'no such file or folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'part of the path is not a folder',
  EPERM: 'not permitted',
  EROFS: 'the disk is read-only',
};

/** Describes in words why a system call failed. */
export function reasonOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  // For other codes, use the system's message without the name of the system call.
  return WORDS[code] ?? message.replace(/^[A-Z]+: (.+?), \w+(?: '.*)?$/s, '$1');
}

export function cannotRead(path: string, cause: unknown): ReelError {
  return new ReelError('file-unreadable', `Cannot read ${path}: ${reasonOf(cause)}`, { cause });
}

export function cannotWrite(path: string, cause: unknown): ReelError {
  return new ReelError('file-unwritable', `Cannot write ${path || '""'}: ${reasonOf(cause)}`, { cause });
}
