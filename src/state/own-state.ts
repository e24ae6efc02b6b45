import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ReelError } from '../model/errors.ts';
import { foreignFolderOn, IS_FOREIGN, isOwnFolder } from './trusted-folder.ts';

/** The folders that mcpreel creates in the state folder. */
const PARTS = ['sessions', 'live', 'journals', 'install'] as const;
export type StatePart = (typeof PARTS)[number];

/** What the state folder itself may contain if nothing but mcpreel uses it. */
const CONTENT: ReadonlySet<string> = new Set([...PARTS, 'baseline.json']);

/**
 * The first folder on the way to a part of the state folder, or to the state folder itself, that another user could
 * exchange. If there is none, folders that are only mcpreel's are closed to other users, who could read names of
 * sessions there.
 */
export function foreignStateFolder(stateFolder: string, part?: StatePart): string | undefined {
  const folder = part === undefined ? stateFolder : join(stateFolder, part);
  const foreign = foreignFolderOn(stateFolder) ?? foreignFolderOn(folder);
  if (foreign === undefined) for (const path of new Set([stateFolder, folder])) closeToOthers(path, stateFolder);
  return foreign;
}

/**
 * Throws if another user could exchange what is in the state folder, or in a part of it. Everything that a command
 * reads, writes or deletes there is asked for through this function.
 */
export function requireOwnState(stateFolder: string, part?: StatePart): void {
  const foreign = foreignStateFolder(stateFolder, part);
  if (foreign === undefined) return;
  throw new ReelError('file-unreadable', `The state folder is not used: ${foreign} ${IS_FOREIGN}`, {
    hint: 'Set MCPREEL_HOME to a folder of your own.',
  });
}

/** A state folder that has other content may be used by others on purpose: `MCPREEL_HOME` can be any folder. */
function closeToOthers(path: string, stateFolder: string): void {
  try {
    const isOpen = (statSync(path).mode & 0o077) !== 0 && isOwnFolder(path);
    const isOnlyOurs = path !== stateFolder || readdirSync(path).every((name) => CONTENT.has(name));
    if (isOpen && isOnlyOurs) chmodSync(path, 0o700);
  } catch {
    // It does not exist, or its file system has no modes.
  }
}
