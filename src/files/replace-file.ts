import { randomBytes } from 'node:crypto';
import { constants, fsync, type Stats } from 'node:fs';
import { access, type FileHandle, lstat, open, realpath, rm, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { isatty } from 'node:tty';
import { promisify } from 'node:util';
import { ReelError } from '../model/errors.ts';
import { gatherBytes } from './gather-bytes.ts';
import { cannotWrite } from './reason.ts';
import { renameOver } from './rename-over.ts';

const { O_APPEND, O_CREAT, O_EXCL, O_WRONLY } = constants;
/** Not `FileHandle.sync`: Yarn's Plug'n'Play patches `fs` and omits that method. */
const syncFile = promisify(fsync);

/** The content of a file, in pieces. */
export type FilePieces = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;

/**
 * Writes a file atomically. The content goes to a temporary file in the same folder, which replaces the target once it
 * is complete and synced. An existing file survives every failure.
 */
export async function replaceFile(path: string, pieces: FilePieces): Promise<void> {
  try {
    const openExisting = await openerOf(path);
    if (openExisting === undefined) await takeItsPlace(path, (file) => writeInto(file, pieces));
    else await closing(await openExisting(), (file) => writeInto(file, pieces));
  } catch (error) {
    if (error instanceof ReelError) throw error;
    throw cannotWrite(path, error);
  }
}

/** Throws if a file cannot be written here. Leaves an existing file as it is, and no trace of the attempt. */
export async function assertWritable(path: string): Promise<void> {
  try {
    const openExisting = await openerOf(path);
    if (openExisting !== undefined) return await assertDeviceTakes(path, openExisting);
    const temporary = temporaryBeside(path);
    try {
      // A full disk still has room for an empty file.
      const file = await open(temporary, O_CREAT | O_EXCL | O_WRONLY, 0o600);
      await closing(file, () => file.writeFile('\n'));
    } finally {
      await rm(temporary, { force: true });
    }
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

/**
 * Throws if a device or pipe cannot be written to. Only a write shows that a device such as `/dev/full` takes nothing; a
 * terminal or a pipe would show the byte to its reader.
 */
async function assertDeviceTakes(path: string, openDevice: () => Promise<FileHandle>): Promise<void> {
  await access(path, constants.W_OK);
  if (OWN_STREAM.test(path) || !(await stat(path)).isCharacterDevice()) return;
  const device = await openDevice();
  await closing(device, async () => {
    if (!isatty(device.fd)) await device.writeFile('\n');
  });
}

/** How to open what is written in place, such as a device or a pipe; `undefined` if a new file takes its place. */
async function openerOf(path: string): Promise<(() => Promise<FileHandle>) | undefined> {
  const existing = await lstat(path).catch(() => undefined);
  if (path === '') throw new Error('the path is empty');
  if (existing === undefined && /[/\\]$/.test(path)) throw Object.assign(new Error('no folder'), { code: 'ENOENT' });
  if (existing === undefined) return undefined;
  if (OWN_STREAM.test(path)) return () => openOwnStream(path);
  if (await isInSystemFolder(path)) throw new Error('it is a link in a system folder');
  const isNew = existing.isFile() || (await isReplaceable(path, existing));
  if (existing.isFIFO()) refusePipeOfOthers(existing.uid);
  return isNew ? undefined : () => openSame(path, existing);
}

/** The paths by which a shell passes its own pipes and files. They are links, and the only ones that are followed. */
const OWN_STREAM = /^\/(?:dev\/(?:stdout|stderr|fd\/\d+)|proc\/self\/fd\/\d+)$/;

/** Appends if the stream is a file, as a write to the stream itself would. */
async function openOwnStream(path: string): Promise<FileHandle> {
  return open(path, (await stat(path)).isFile() ? O_WRONLY | O_APPEND : O_WRONLY);
}

/**
 * A link is replaced by name, wherever it leads. A folder is never replaced.
 */
async function isReplaceable(path: string, existing: Stats): Promise<boolean> {
  const isFolder = existing.isDirectory() || (existing.isSymbolicLink() && (await leadsToFolder(path)));
  if (isFolder) throw Object.assign(new Error('is a folder'), { code: 'EISDIR' });
  return existing.isSymbolicLink();
}

async function leadsToFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (target) => target.isDirectory(),
    () => false,
  );
}

/**
 * Opens an existing device or pipe. Replacing it with a file would break it for its other users. In a folder that others
 * can write to, it may have been exchanged since it was judged, so the open file must be the same one.
 */
export async function openSame(path: string, judged: Stats): Promise<FileHandle> {
  // Windows has no such flag, and no devices by name.
  const file = await open(path, O_WRONLY | (constants.O_NOFOLLOW ?? 0));
  const opened = await file.stat();
  if (opened.dev === judged.dev && opened.ino === judged.ino && opened.rdev === judged.rdev) return file;
  await file.close();
  throw new Error('it was replaced while being opened');
}

/**
 * Rejects a named pipe of another user. In a world-writable folder, another user may have created a pipe at the file's
 * path to read its content.
 */
export function refusePipeOfOthers(owner: number): void {
  if (owner !== userInfo().uid) throw new Error('it is a pipe owned by another user');
}

/**
 * Writes a temporary file that only its owner can access. The file replaces the target once it is synced and `confirm`
 * has resolved. If anything fails, the target is unchanged and the temporary file is removed.
 */
export async function takeItsPlace(
  path: string,
  fill: (file: FileHandle) => Promise<void>,
  confirm: () => Promise<void> = async () => undefined,
): Promise<void> {
  const temporary = temporaryBeside(path);
  try {
    await closing(await open(temporary, O_CREAT | O_EXCL | O_WRONLY, 0o600), async (file) => {
      await fill(file);
      await syncFile(file.fd);
    });
    await confirm();
    await renameOver(temporary, path);
  } catch (error) {
    // The file or its folder may not exist. Report the first error.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Whether something that is no device is in a folder of the system, also if a link leads to that folder. */
async function isInSystemFolder(path: string): Promise<boolean> {
  const folder = await realpath(dirname(resolve(path))).catch(() => '');
  const isSystem = /^\/(?:dev|proc)(?:\/|$)/.test(folder) && !/^\/dev\/shm(?:\/|$)/.test(folder);
  const existing = await lstat(path);
  return isSystem && (existing.isSymbolicLink() || existing.isFile());
}

function temporaryBeside(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
}

async function closing(file: FileHandle, work: (file: FileHandle) => Promise<void>): Promise<void> {
  try {
    await work(file);
  } finally {
    await file.close();
  }
}

async function writeInto(file: FileHandle, pieces: FilePieces): Promise<void> {
  // Write one piece while the next one is being produced.
  let written: Promise<unknown> = Promise.resolve();
  try {
    for await (const bytes of gatherBytes(pieces)) {
      await written;
      written = file.writeFile(bytes);
      // The next iteration awaits this write. Until then, a failure must not count as an unhandled rejection.
      written.catch(() => undefined);
    }
  } finally {
    await written;
  }
}
