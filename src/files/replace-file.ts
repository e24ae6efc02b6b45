import { randomBytes } from 'node:crypto';
import { constants, fsync } from 'node:fs';
import { type FileHandle, open, realpath, rm, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ReelError } from '../model/errors.ts';
import { gatherBytes } from './gather-bytes.ts';
import { cannotWrite } from './reason.ts';
import { renameOver } from './rename-over.ts';

const { O_CREAT, O_EXCL, O_WRONLY } = constants;
/** Not `FileHandle.sync`: Yarn's Plug'n'Play replaces `fs` and leaves that one out. */
const syncFile = promisify(fsync);

/** What a file is made of. */
export type FilePieces = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;

/**
 * Writes a whole file or nothing: the text goes to a temporary file beside it, which takes its place once it is
 * complete and on disk. An existing file survives every failure.
 */
export async function replaceFile(path: string, pieces: FilePieces): Promise<void> {
  try {
    const existing = await stat(path).catch(() => undefined);
    if (existing?.isDirectory()) throw Object.assign(new Error('is a folder'), { code: 'EISDIR' });
    if (existing !== undefined && !existing.isFile()) {
      // A device or a pipe is written to; a file in its place would break it for everybody.
      if (existing.isFIFO()) await refusePipeOfOthers(path, existing.uid);
      await closing(await open(path, O_WRONLY), (file) => writeInto(file, pieces));
    } else {
      await takeItsPlace(path, (file) => writeInto(file, pieces));
    }
  } catch (error) {
    if (error instanceof ReelError) throw error;
    throw cannotWrite(path, error);
  }
}

/**
 * In a folder that everybody may write to, somebody may have put a pipe where a file was to be, in order to read it. One
 * without a name, like the shell's, is only there because it was handed to us.
 */
async function refusePipeOfOthers(path: string, owner: number): Promise<void> {
  const hasName = await realpath(path).then(
    () => true,
    () => false,
  );
  // Asked last: in a container, the user may be nobody that the system could tell of.
  if (hasName && owner !== userInfo().uid) throw new Error('it is a pipe of another user');
}

/**
 * Fills a temporary file, for its owner alone, and puts it in the place of another once it is on disk and `confirm` has
 * agreed. Whatever fails, the other stays as it was and the temporary one is gone.
 */
export async function takeItsPlace(
  path: string,
  fill: (file: FileHandle) => Promise<void>,
  confirm: () => Promise<void> = async () => undefined,
): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    await closing(await open(temporary, O_CREAT | O_EXCL | O_WRONLY, 0o600), async (file) => {
      await fill(file);
      await syncFile(file.fd);
    });
    await confirm();
    await renameOver(temporary, path);
  } catch (error) {
    // It may not be there, nor its folder; what went wrong first is what to tell.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

async function closing(file: FileHandle, work: (file: FileHandle) => Promise<void>): Promise<void> {
  try {
    await work(file);
  } finally {
    await file.close();
  }
}

async function writeInto(file: FileHandle, pieces: FilePieces): Promise<void> {
  // One piece is written while the next is being made.
  let written: Promise<unknown> = Promise.resolve();
  try {
    for await (const bytes of gatherBytes(pieces)) {
      await written;
      written = file.writeFile(bytes);
      // Awaited with the next piece; until then a failure must not count as unheard.
      written.catch(() => undefined);
    }
  } finally {
    await written;
  }
}
