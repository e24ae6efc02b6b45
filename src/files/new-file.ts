import { constants, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, extname } from 'node:path';
import { ReelError } from '../model/errors.ts';
import { reasonOf } from './reason.ts';

/** A file that did not exist before, open for appending. */
export interface NewFile {
  readonly path: string;
  readonly descriptor: number;
}

const { O_APPEND, O_CREAT, O_EXCL, O_WRONLY } = constants;
const MAX_ATTEMPTS = 10_000;

/**
 * Creates a file for its owner alone. Nothing that exists is opened, not even through a link: if the name is taken,
 * `-2`, `-3` and so on are tried.
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

/** Makes sure that a folder is there. One that was not is for its owner alone, like what will be in it. */
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

/** Folder by folder: what the system says of a path of several that are missing may not be what is wrong. */
function makeFolder(path: string): void {
  if (isFolder(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // Somebody else has made it meanwhile, or it is no folder.
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
