import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { shellLine } from '../../../model/shell-line.ts';
import { countOf } from '../../../present/figures.ts';
import { checksOf, type DoctorCheck } from './doctor-check.ts';

const { ok, note, wrong } = checksOf('permissions');

const OF_OTHERS = 0o077;
const WRITABLE_BY_OTHERS = 0o022;
const MAX_NAMED = 3;

/**
 * Checks whether only the owner can read the recordings. `uid` is the current user; `undefined` if the system has no
 * such permissions.
 */
export async function checkPermissions(stateFolder: string, uid: number | undefined): Promise<DoctorCheck[]> {
  const root = await stat(stateFolder).catch(() => undefined);
  if (uid === undefined || root === undefined) return [];
  const seen: SeenMode = { open: [], links: [], foreign: [], count: 0 };
  await walk(stateFolder, uid, seen);
  const checks = [
    ...checkRoot(stateFolder, root.isDirectory() ? root.mode : 0),
    ...reportOf(seen.open, 'readable by other users', wrong, ['chmod', '-R', 'go=', stateFolder]),
    ...reportOf(seen.foreign, 'owned by another user', wrong, ['sudo', 'chown', '-R', String(uid), stateFolder]),
    ...reportOf(seen.links, 'a symbolic link, which mcpreel never creates', note, [
      'ls',
      '-l',
      ...seen.links.slice(0, MAX_NAMED),
    ]),
  ];
  if (checks.length > 0) return checks;
  return [ok(`${countOf(seen.count, 'file')} in the state folder, readable only by you`)];
}

interface SeenMode {
  readonly open: string[];
  readonly links: string[];
  readonly foreign: string[];
  count: number;
}

/** Never follows a link or leaves the folder. */
async function walk(folder: string, uid: number, seen: SeenMode): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names.sort()) {
    const path = join(folder, name);
    // It may have been removed in the meantime.
    const status = await lstat(path).catch(() => undefined);
    if (status === undefined) continue;
    if (status.isSymbolicLink()) {
      seen.links.push(path);
      continue;
    }
    if (!status.isDirectory()) seen.count++;
    // Root inspects files of other users and must not be advised to take them over.
    if (status.uid !== uid && uid !== 0) seen.foreign.push(path);
    // A socket is protected by its folder, and on some systems its own permission bits mean nothing.
    if ((status.mode & OF_OTHERS) !== 0 && !status.isSocket()) seen.open.push(path);
    if (status.isDirectory()) await walk(path, uid, seen);
  }
}

/**
 * Recordings are in a private subfolder, so reading this folder reveals only names. But a user who can write here could
 * replace that subfolder.
 */
function checkRoot(folder: string, mode: number): DoctorCheck[] {
  const bits = (mode & 0o777).toString(8);
  const fix = shellLine(['chmod', '700', folder], 'linux');
  if ((mode & WRITABLE_BY_OTHERS) !== 0) return [wrong(`${folder} is writable by other users (${bits})`, fix)];
  if ((mode & OF_OTHERS) !== 0) return [note(`${folder} is readable by other users (${bits})`, fix)];
  return [];
}

function reportOf(
  paths: readonly string[],
  how: string,
  mark: typeof note | typeof wrong,
  command: readonly string[],
): DoctorCheck[] {
  if (paths.length === 0) return [];
  const named = paths.slice(0, MAX_NAMED).join(', ');
  const others = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : '';
  return [mark(`${named}${others}: ${how}`, shellLine(command, 'linux'))];
}
