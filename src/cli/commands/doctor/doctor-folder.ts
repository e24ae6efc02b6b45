import { access, constants, mkdtemp, rmdir, stat, statfs } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { reasonOf } from '../../../files/reason.ts';
import { shellLine } from '../../../model/shell-line.ts';
import { formatSize } from '../../../present/figures.ts';
import { sessionsFolder } from '../../../state/home.ts';
import { liveFolder } from '../../../state/live-sessions.ts';
import { foreignFolderOn, IS_FOREIGN } from '../../../state/trusted-folder.ts';
import { checksOf, type DoctorCheck } from './doctor-check.ts';

const { ok, note, wrong } = checksOf('state folder');

const NAME_ANOTHER = 'Set MCPREEL_HOME to another folder.';

const LITTLE_BYTES = 1_000_000_000;
const TOO_LITTLE_BYTES = 50_000_000;

/**
 * Checks whether mcpreel can record to the state folder, and how much space is left. It creates an empty folder there
 * and removes it, because permissions alone do not show it: root may write to `/proc`, which takes no files.
 */
export async function checkFolder(stateFolder: string, platform: string): Promise<DoctorCheck[]> {
  const folder = resolve(stateFolder);
  const remedies = platform === 'win32' ? ON_WINDOWS : WITH_A_SHELL;
  const place = await nearestThatExists(folder);
  const foreign = foreignPlace(folder);
  const checks =
    foreign !== undefined
      ? [wrong(`${folder} is not used: ${foreign} ${IS_FOREIGN}`, NAME_ANOTHER)]
      : await (place.path === folder ? checkExisting(folder, remedies) : checkMissing(folder, place, remedies));
  const wanders = isAbsolute(stateFolder) ? [] : [relativeNote(stateFolder, folder, remedies)];
  return [...checks, ...wanders, ...(await checkSpace(place.path))];
}

/** The first folder that another user could exchange. Changes no modes: those are checked afterwards. */
export function foreignPlace(folder: string): string | undefined {
  const folders = [folder, sessionsFolder(folder), liveFolder(folder)];
  return folders.map(foreignFolderOn).find((foreign) => foreign !== undefined);
}

/** Fixes for problems with a folder, as commands or instructions for the user's system. */
interface Remedies {
  readonly moveAway: (path: string) => string;
  readonly makeYours: (path: string) => string;
  readonly nameInFull: (path: string) => string;
}

const WITH_A_SHELL: Remedies = {
  moveAway: (path) => `Move it away, or set MCPREEL_HOME: ${shellLine(['mv', path, `${path}.old`], 'linux')}`,
  makeYours: (path) => `Get access to it: ${shellLine(['chmod', 'u+rwx', path], 'linux')}`,
  nameInFull: (path) => `Use an absolute path: ${shellLine(['export', `MCPREEL_HOME=${path}`], 'linux')}`,
};

const ON_WINDOWS: Remedies = {
  moveAway: () => 'Rename it, or set MCPREEL_HOME to another folder.',
  makeYours: () => 'Give yourself full access to it, or set MCPREEL_HOME to another folder.',
  nameInFull: (path) => `Use an absolute path in MCPREEL_HOME: ${path}`,
};

interface ExistingFolder {
  readonly path: string;
  readonly isFolder: boolean;
}

async function nearestThatExists(path: string): Promise<ExistingFolder> {
  const status = await stat(path).catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' || error.code === 'ENOTDIR' ? undefined : error,
  );
  if (status === undefined && dirname(path) !== path) return nearestThatExists(dirname(path));
  // A path that cannot be inspected counts as a folder; the attempt to enter it gives the error.
  return { path, isFolder: status === undefined || status instanceof Error || status.isDirectory() };
}

async function checkExisting(folder: string, remedies: Remedies): Promise<DoctorCheck[]> {
  const refusal = await refusalOf(folder, remedies);
  if (refusal === undefined) return [ok(`${folder} is writable`)];
  return [wrong(`cannot write to ${folder}: ${refusal.why}`, refusal.mend)];
}

async function checkMissing(
  folder: string,
  { path, isFolder }: ExistingFolder,
  remedies: Remedies,
): Promise<DoctorCheck[]> {
  const refusal = isFolder ? await refusalOf(path, remedies) : noFolder(path, remedies);
  if (refusal !== undefined) return [wrong(`cannot create ${folder}: ${path}: ${refusal.why}`, refusal.mend)];
  return [note(`${folder} does not exist yet; the first recording creates it`)];
}

interface FolderRefusal {
  readonly why: string;
  readonly mend: string;
}

function noFolder(path: string, { moveAway }: Remedies): FolderRefusal {
  return { why: 'it is not a folder', mend: moveAway(path) };
}

async function refusalOf(folder: string, remedies: Remedies): Promise<FolderRefusal | undefined> {
  try {
    if (!(await stat(folder)).isDirectory()) return noFolder(folder, remedies);
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    return { why: reasonOf(error), mend: remedies.makeYours(folder) };
  }
  try {
    await rmdir(await mkdtemp(join(folder, '.mcpreel-doctor-')));
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { why: code === 'ENOENT' ? 'files cannot be created in it' : reasonOf(error), mend: NAME_ANOTHER };
  }
}

function relativeNote(given: string, folder: string, { nameInFull }: Remedies): DoctorCheck {
  return note(
    `MCPREEL_HOME is ${given}, a relative path: each working directory gets its own state folder`,
    nameInFull(folder),
  );
}

async function checkSpace(folder: string): Promise<DoctorCheck[]> {
  const space = await statfs(folder).catch(() => undefined);
  if (space === undefined || space.blocks === 0) return [];
  const free = space.bavail * space.bsize;
  if (free >= LITTLE_BYTES) return [ok(`${formatSize(free)} free`)];
  const fix = 'Delete old recordings: mcpreel sessions prune --older-than 30d --dry-run';
  return [(free < TOO_LITTLE_BYTES ? wrong : note)(`only ${formatSize(free)} are free`, fix)];
}
