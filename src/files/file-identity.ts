import { fstatSync, lstatSync, type Stats, statSync } from 'node:fs';

/** What stays the same if a file is renamed, and differs if another takes its name. */
export interface FileIdentity {
  readonly dev: number;
  readonly ino: number;
}

export function openFileIdentity(descriptor: number): FileIdentity {
  return identity(fstatSync(descriptor));
}

/** The identity of the folder that a path leads to, through links; `undefined` if there is none. */
export function folderIdentity(path: string): FileIdentity | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && identity(stats);
}

export function isSameFolder(path: string, { dev, ino }: FileIdentity): boolean {
  const now = folderIdentity(path);
  return now?.dev === dev && now.ino === ino;
}

/** Whether a name still stands for this file, and not for another one or for a link. */
export function isStill(path: string, { dev, ino }: FileIdentity): boolean {
  try {
    const stats = lstatSync(path);
    return stats.dev === dev && stats.ino === ino;
  } catch {
    return false;
  }
}

function identity({ dev, ino }: Stats): FileIdentity {
  return { dev, ino };
}
