import { chmodSync, lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';

const ROOT = 0;
/** The bits that let the group or others write, and the one that lets them exchange only their own files. */
const OTHERS_WRITE = 0o022;
const EVERYBODY_WRITES = 0o002;
const GROUP_WRITES = 0o020;
const STICKY = 0o1000;

/**
 * Whether no other user can exchange what is in a folder: it belongs to this user or to root, and so does a link that
 * leads to it. If it is too open, its mode is tightened. That a change of mode succeeds proves nothing, because root may
 * change the folders of all users.
 */
export function isTrustedFolder(path: string): boolean {
  const uid = ownUid();
  try {
    const folder = statSync(path);
    if (uid === undefined) return folder.isDirectory();
    const isOurs = ({ uid: owner }: Stats): boolean => owner === uid || owner === ROOT;
    if (!folder.isDirectory() || !isOurs(folder) || !isOurs(lstatSync(path))) return false;
    if ((folder.mode & OTHERS_WRITE) !== 0 && (folder.mode & STICKY) === 0) chmodSync(path, folder.mode & 0o755);
    return true;
  } catch {
    return false;
  }
}

/** What users are told about a foreign folder. */
export const IS_FOREIGN = 'belongs to another user, or others can write to it';

/** Whether a folder exists that another user can exchange files in. */
function isForeignFolder(path: string): boolean {
  return statusOf(path)?.isDirectory() === true && !isTrustedFolder(path);
}

/**
 * The first folder on the way to a path, itself included, that another user could exchange: its owner is neither this
 * user, nor root, nor the owner of `/`, who is root in a sandbox that has no name for root.
 */
export function foreignFolderOn(path: string): string | undefined {
  const uid = ownUid();
  if (isForeignFolder(path)) return path;
  if (uid === undefined) return undefined;
  const trusted = new Set([uid, ROOT, lstatSync('/').uid]);
  const isOurs = (folder: Stats): boolean =>
    trusted.has(folder.uid) && (!othersWrite(folder) || (folder.mode & STICKY) !== 0);
  // Links lead to other folders, and may themselves be exchanged.
  for (const start of [resolve(path), realPathOf(path)]) {
    for (let folder = dirname(start); ; folder = dirname(folder)) {
      const status = linkStatusOf(folder);
      const isLink = status?.isSymbolicLink() === true;
      if (status !== undefined && !(isLink ? trusted.has(status.uid) : isOurs(status))) return folder;
      if (folder === dirname(folder)) break;
    }
  }
  return undefined;
}

/** The path without links, as far as it exists. */
function realPathOf(path: string): string {
  for (let existing = resolve(path); ; existing = dirname(existing)) {
    try {
      return join(realpathSync(existing), relative(existing, resolve(path)));
    } catch {
      if (existing === dirname(existing)) return resolve(path);
    }
  }
}

/** Whether no other user can exchange what this user creates in a folder. Unlike a trusted folder, it is not changed. */
export function isSafeBase(path: string): boolean {
  const uid = ownUid();
  const folder = statusOf(path);
  if (uid === undefined || folder === undefined) return folder?.isDirectory() === true;
  const isOpen = (folder.mode & OTHERS_WRITE) !== 0 && (folder.mode & STICKY) === 0;
  return folder.isDirectory() && !isOpen && [uid, ROOT].includes(folder.uid);
}

/** Whether a socket and its folder belong to this user. Another user's could take a token, and send anything. */
export function isOwnSocket(path: string, user: () => number | undefined = ownUid): boolean {
  const uid = user();
  // On Windows it is a named pipe. To ask for its status would be to connect to it.
  if (uid === undefined) return true;
  const socket = lstatSync(path, { throwIfNoEntry: false });
  return socket === undefined || (socket.uid === uid && isOwnFolder(dirname(path)));
}

/** Whether a folder is this user's own, and no link to one. */
export function isOwnFolder(path: string): boolean {
  const uid = ownUid();
  const folder = linkStatusOf(path);
  return folder?.isDirectory() === true && (uid === undefined || folder.uid === uid) && isTrustedFolder(path);
}

/** Whether a file belongs to this user, and no other user can put another one in its place. */
export function isOwnFile(path: string): boolean {
  const uid = ownUid();
  if (uid === undefined) return true;
  const file = lstatSync(path, { throwIfNoEntry: false });
  // Also in a folder where everybody may write, but remove only their own files, it could be replaced once it is gone.
  const folder = statusOf(dirname(path));
  const isOpen = folder !== undefined && othersWrite(folder);
  return file?.isFile() === true && file.uid === uid && !isOpen && foreignFolderOn(path) === undefined;
}

/**
 * Whether users can write to a folder who are neither this user nor root. The main group of a user counts as private:
 * many systems give each user a group, and let it write to all that the user creates.
 */
function othersWrite({ mode, gid }: Stats): boolean {
  if ((mode & EVERYBODY_WRITES) !== 0) return true;
  return (mode & GROUP_WRITES) !== 0 && gid !== ROOT && gid !== ownIds()?.gid;
}

/** This user's id; `undefined` on Windows, which has none. */
export function ownUid(): number | undefined {
  return ownIds()?.uid;
}

function ownIds(): Pick<Stats, 'uid' | 'gid'> | undefined {
  try {
    const ids = userInfo();
    return ids.uid < 0 ? undefined : ids;
  } catch {
    // In a container, the system may have no entry for this user.
    return lstatSync('/proc/self', { throwIfNoEntry: false });
  }
}

/** The status of what a path leads to; `undefined` if it cannot be reached. */
function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** The status of a path itself; `undefined` if it cannot be reached, as below a file. Nothing can be created there. */
function linkStatusOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}
