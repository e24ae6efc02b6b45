import { rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { openSession } from '../catalog/open-session.ts';
import { ReelError } from '../model/errors.ts';
import type { RecordedSession } from '../model/session.ts';
import { saveSessionFile } from '../record/save-session-file.ts';
import { inMemory } from './given-session.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { stateFolder } from './this-process.ts';

/**
 * A complete recording.
 *
 * @example
 * ```ts
 * import { type Recorded, recordSession } from 'mcpreel';
 *
 * const recording = await recordSession({ command: ['node', 'server.js'], file: 'session.jsonl' });
 * const { file, session }: Recorded = await recording.stop();
 * console.log(`${session.header.label} is in ${file}`);
 * ```
 */
export interface RecordedPlace {
  /** The absolute path of the recording's file. Absent if the recording is only in memory. */
  readonly file: string | undefined;
  /** The recorded session. It is read from the file on demand, or kept in memory if there is no file. */
  readonly session: RecordedSession;
}

/** Where a recording is written while it runs, and how it is finished. */
export interface RecordingPlace {
  readonly stateFolder: string;
  /** The path for the trace. Default: in the state folder. */
  readonly traceFile: string | undefined;
  /** Converts the trace into the requested result. */
  finish(tracePath: string): Promise<RecordedPlace>;
  /** Removes temporary files of a recording that failed. */
  abandon(): Promise<void>;
}

/** Chooses where to write a recording. Rejects a file that cannot be written now, not at the end of the session. */
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
    // If this process is killed, the session's trace is still there.
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
    throw new ReelError('file-unwritable', `Cannot write ${shown}: no such folder`, {
      hint: 'Create it first.',
    });
  }
  const present = await stat(path).catch(() => undefined);
  if (present?.isDirectory()) throw new ReelError('file-unwritable', `Cannot write ${shown}: it is a folder`);
}
