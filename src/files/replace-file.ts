import { randomBytes } from 'node:crypto';
import { constants, fsync } from 'node:fs';
import { access, type FileHandle, open, realpath, rm, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
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
    const existing = await stat(path).catch(() => undefined);
    if (existing?.isDirectory()) throw Object.assign(new Error('is a folder'), { code: 'EISDIR' });
    if (existing !== undefined && (!existing.isFile() || isOfTheSystem(path))) {
      // Write to an existing device or pipe. Replacing it with a file would break it for its other users.
      if (existing.isFIFO()) await refusePipeOfOthers(path, existing.uid);
      await closing(await open(path, O_WRONLY | O_APPEND), (file) => writeInto(file, pieces));
    } else {
      await takeItsPlace(path, (file) => writeInto(file, pieces));
    }
  } catch (error) {
    if (error instanceof ReelError) throw error;
    throw cannotWrite(path, error);
  }
}

/** Throws if a file cannot be written here. Leaves an existing file as it is, and no trace of the attempt. */
export async function assertWritable(path: string): Promise<void> {
  try {
    const existing = await stat(path).catch(() => undefined);
    if (existing?.isDirectory()) throw Object.assign(new Error('is a folder'), { code: 'EISDIR' });
    if (existing !== undefined && (!existing.isFile() || isOfTheSystem(path))) await access(path, constants.W_OK);
    else {
      const temporary = temporaryBeside(path);
      await closing(await open(temporary, O_CREAT | O_EXCL | O_WRONLY, 0o600), async () => undefined);
      await rm(temporary);
    }
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

/**
 * Rejects a named pipe of another user. In a world-writable folder, another user may have created a pipe at the file's
 * path to read its content. An unnamed pipe, such as the shell's, was passed to this process on purpose.
 */
async function refusePipeOfOthers(path: string, owner: number): Promise<void> {
  const hasName = await realpath(path).then(
    () => true,
    () => false,
  );
  // Check the user last: in a container, the system may have no entry for this user.
  if (hasName && owner !== userInfo().uid) throw new Error('it is a pipe of another user');
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

/**
 * Returns whether a path is in a folder of the system. `/dev/stdout` is a link to whatever stdout is, even if that is a
 * file, and the link must not be replaced.
 */
function isOfTheSystem(path: string): boolean {
  return /^\/(?:dev|proc)\//.test(resolve(path));
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
