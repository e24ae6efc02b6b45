import { chmodSync, mkdirSync, statfsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { isOwnFolder, isSafeBase, ownUid } from './trusted-folder.ts';

type PlaceEnvironment = Readonly<Record<string, string | undefined>>;

/** A folder of this user's on a file system in memory, and how large a journal there may be. */
export interface JournalPlace {
  readonly folder: string;
  readonly maxBytes: number;
}

/** What was found instead: why nothing may be written to each of the folders that were tried. */
export interface NoJournalPlace {
  readonly reasons: readonly string[];
}

const TMPFS = 0x01021994;
const RAMFS = 0x858458f6;
const MAX_BYTES = 64 << 20;
/** Less than this is of no use. */
const MIN_BYTES = 1 << 20;

/**
 * Finds the folder for journals. What is in them may be secret, and must be in memory only: a file system is used only if
 * it is of that kind, and a folder only if it belongs to this user.
 */
export function journalPlace(env: PlaceEnvironment, shared = '/dev/shm'): JournalPlace | NoJournalPlace {
  const { XDG_RUNTIME_DIR: runtime } = env;
  const bases = [...(runtime !== undefined && isAbsolute(runtime) ? [runtime] : []), shared];
  const reasons: string[] = [];
  for (const base of bases) {
    const found = placeIn(base);
    if (typeof found !== 'string') return found;
    reasons.push(`${base} ${found}`);
  }
  return { reasons };
}

/** The place below a folder, or why there is none. */
function placeIn(base: string): JournalPlace | string {
  try {
    const { type, bavail, bsize } = statfsSync(base);
    if (type !== TMPFS && type !== RAMFS) return 'is not in memory (tmpfs)';
    const maxBytes = Math.min(MAX_BYTES, Math.floor((bavail * bsize) / 4));
    if (maxBytes < MIN_BYTES) return 'is full';
    if (!isSafeBase(base)) return 'can be changed by other users';
    // Folders of several users may be side by side.
    const folder = join(base, `mcpreel-${ownUid() ?? 'user'}`);
    return makeOwn(folder) ? { folder, maxBytes } : `has a folder ${folder} of another user`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'does not exist' : 'cannot be written to';
  }
}

function makeOwn(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (!isOwnFolder(folder)) return false;
    chmodSync(folder, 0o700);
    return true;
  }
}
