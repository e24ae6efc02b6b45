import { constants, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, extname } from 'node:path';
import { ReelError } from '../model/errors.ts';
import { reasonOf } from './reason.ts';

/** A newly created file, open for appending. */
export interface NewFile {
  readonly path: string;
  readonly descriptor: number;
}

const { O_APPEND, O_CREAT, O_EXCL, O_WRONLY } = constants;
const MAX_ATTEMPTS = 10_000;

/**
 * Creates a file that only its owner can access. It never opens an existing file, not even through a symlink. If the
 * name is in use, it tries `-2`, `-3` and so on.
 */
export function createNewFile(path: string): NewFile {
  try {
    makeFolder(dirname(path));
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const candidate = attempt === 1 ? path : numbered(path, attempt);
      try {
        return { path: candidate, descriptor: openSync(candidate, O_APPEND | O_CREAT | O_EXCL | O_WRONLY, 0o600) };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
    }
    throw new Error('too many files of this name');
  } catch (error) {
    throw cannotCreate(path, error);
  }
}

/** Creates a folder if it does not exist. Only its owner can access a new folder. */
export function createFolder(path: string): void {
  try {
    makeFolder(path);
  } catch (error) {
    throw cannotCreate(path, error);
  }
}

function cannotCreate(path: string, cause: unknown): ReelError {
  return new ReelError('file-unwritable', `Cannot create ${path}: ${reasonOf(cause)}`, { cause });
}

/**
 * Creates one folder at a time. For a path with several missing folders, the system's error may be misleading, and
 * Node's recursive `mkdir` never returns if a folder cannot be created in one that exists, as in /proc.
 */
function makeFolder(path: string): void {
  if (isFolder(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // Another process created it meanwhile, or it is not a folder.
    if (!isFolder(path)) throw Object.assign(new Error(), { code: 'ENOTDIR' });
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function numbered(path: string, n: number): string {
  const extension = extname(path);
  return `${path.slice(0, path.length - extension.length)}-${n}${extension}`;
}
