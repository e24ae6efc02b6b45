import { rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { openSession } from '../catalog/open-session.ts';
import { ReelError } from '../model/errors.ts';
import type { RecordedSession } from '../model/session.ts';
import { saveSessionFile } from '../record/save-session-file.ts';
import { inMemory } from './given-session.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { stateFolder } from './this-process.ts';

/** A recording that is complete. */
export interface RecordedPlace {
  /** The absolute path of its file; absent if it is nowhere but in memory. */
  readonly file: string | undefined;
  /** What was recorded: it is read from the file when it is asked for, or held in memory where there is none. */
  readonly session: RecordedSession;
}

/** Where a recording is written while it goes on, and what becomes of it. */
export interface RecordingPlace {
  readonly stateFolder: string;
  /** Where the trace is wanted; within the state folder if absent. */
  readonly traceFile: string | undefined;
  /** Makes of the trace what was asked for. */
  finish(tracePath: string): Promise<RecordedPlace>;
  /** Clears away what nobody will ask for. */
  abandon(): Promise<void>;
}

/** Chooses the place of a recording. A file that could not be written is refused now, and not when all is said. */
export async function placeFor(file: string | undefined): Promise<RecordingPlace> {
  if (file === undefined) return temporaryPlace();
  const path = resolve(file);
  await assertWritable(path, file);
  const nothing = async (): Promise<void> => undefined;
  if (path.endsWith('.jsonl')) {
    const finish = async (tracePath: string): Promise<RecordedPlace> => ({
      file: tracePath,
      session: await openSession(tracePath),
    });
    return { stateFolder: stateFolder(), traceFile: path, finish, abandon: nothing };
  }
  return {
    // A session whose process is killed can be found there.
    stateFolder: stateFolder(),
    traceFile: undefined,
    async finish(tracePath) {
      await saveSessionFile(tracePath, path).catch((cause: Error) => {
        throw new ReelError('file-unwritable', cause.message, { hint: `The recording is in ${tracePath}.`, cause });
      });
      await rm(tracePath, { force: true });
      return { file: path, session: await openSession(path) };
    },
    abandon: nothing,
  };
}

function temporaryPlace(): RecordingPlace {
  const folder = temporaryFolder();
  const abandon = (): Promise<void> => rm(folder, { recursive: true, force: true });
  return {
    stateFolder: folder,
    traceFile: join(folder, 'trace.jsonl'),
    async finish(tracePath) {
      const session = await inMemory(await openSession(tracePath));
      await abandon();
      return { file: undefined, session };
    },
    abandon,
  };
}

async function assertWritable(path: string, shown: string): Promise<void> {
  const folder = await stat(dirname(path)).catch(() => undefined);
  if (folder?.isDirectory() !== true) {
    throw new ReelError('file-unwritable', `Cannot write ${shown}: there is no such folder`, {
      hint: 'Make it first.',
    });
  }
  const present = await stat(path).catch(() => undefined);
  if (present?.isDirectory()) throw new ReelError('file-unwritable', `Cannot write ${shown}: it is a folder`);
}
