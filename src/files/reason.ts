import { ReelError } from '../model/errors.ts';

const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EBUSY: 'it is in use',
  EDQUOT: 'the disk is full for this user',
  EFBIG: 'it would be too large',
  EEXIST: 'it exists already',
  EIO: 'the disk cannot be read or written',
  EISDIR: 'it is a folder',
  ELOOP: 'too many links',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'its name is too long',
  ENFILE: 'too many open files',
  ENOENT: 'no such file or folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is not a folder',
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
  return new ReelError('file-unwritable', `Cannot write ${path}: ${reasonOf(cause)}`, { cause });
}
