import { chmodSync, lstatSync, type Stats, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';

const ROOT = 0;
/** The bits that let the group and others write, and the one that lets them exchange only their own files. */
const OTHERS_WRITE = 0o022;
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

/** Whether a folder exists that another user can exchange files in. */
export function isForeignFolder(path: string): boolean {
  return statusOf(path)?.isDirectory() === true && !isTrustedFolder(path);
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
export function isOwnSocket(path: string): boolean {
  const uid = ownUid();
  const socket = lstatSync(path, { throwIfNoEntry: false });
  return uid === undefined || socket === undefined || (socket.uid === uid && isOwnFolder(dirname(path)));
}

/** Whether a folder is this user's own, and no link to one. */
export function isOwnFolder(path: string): boolean {
  const uid = ownUid();
  const folder = lstatSync(path, { throwIfNoEntry: false });
  return folder?.isDirectory() === true && (uid === undefined || folder.uid === uid) && isTrustedFolder(path);
}

/** This user's id; `undefined` on Windows, which has none. */
function ownUid(): number | undefined {
  try {
    const { uid } = userInfo();
    return uid < 0 ? undefined : uid;
  } catch {
    // In a container, the system may have no entry for this user.
    return lstatSync('/proc/self', { throwIfNoEntry: false })?.uid;
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
