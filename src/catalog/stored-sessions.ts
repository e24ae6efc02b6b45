import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { reasonOf } from '../files/reason.ts';
import { ReelError } from '../model/errors.ts';
import { recoveredPath } from '../record/save-session-file.ts';
import { readEdges } from '../record/trace-edges.ts';
import { firstPartOf, partsOf } from '../record/trace-parts.ts';
import { sessionsFolder } from '../state/home.ts';
import { type SeenPart, type StoredSession, sessionOf } from './stored-session.ts';
import { traceNames } from './trace-names.ts';

/** Lists the sessions in the state folder, newest first. */
export async function storedSessions(stateFolder: string): Promise<StoredSession[]> {
  const folder = sessionsFolder(stateFolder);
  const paths = (await traceNames(stateFolder)).map((name) => join(folder, name));
  const sessions = grouped(lookAt(paths)).flatMap((parts) => sessionOf(parts) ?? []);
  return sessions.sort((a, b) => b.header.startedAtMs - a.header.startedAtMs);
}

/** Returns the session of a trace, by the path of any of its parts. */
export async function storedSession(path: string): Promise<StoredSession | undefined> {
  return sessionOf(lookAt(await partsOf(path)));
}

/** Deletes all trace files of a session, and the session file that was recovered from them. */
export async function removeSession({ files }: StoredSession): Promise<void> {
  const paths = files.map(({ path }) => path);
  for (const path of [...paths, ...new Set(paths.map(recoveredPath))]) {
    try {
      await rm(path, { force: true });
    } catch (error) {
      throw new ReelError('file-unwritable', `Cannot remove ${path}: ${reasonOf(error)}`, { cause: error });
    }
  }
}

function lookAt(paths: readonly string[]): SeenPart[] {
  return paths.flatMap((path) => {
    const edges = readEdges(path);
    return edges === undefined ? [] : [{ path, edges }];
  });
}

/** Groups files by session, with the parts of each session in order. */
function grouped(files: readonly SeenPart[]): SeenPart[][] {
  const groups = new Map<string, SeenPart[]>();
  for (const file of files) {
    const key = groupOf(file);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [file]);
    else group.push(file);
  }
  return [...groups.values()].map((parts) => parts.sort((a, b) => numberOf(a) - numberOf(b)));
}

/** The parts of a trace have the same name except for the part number, and the same id in their meta lines. */
function groupOf({ path, edges }: SeenPart): string {
  const name = basename(path);
  const { meta } = edges;
  return meta?.number('part') === undefined ? name : `${firstPartOf(name) ?? name} ${meta.string('id')}`;
}

function numberOf({ edges }: SeenPart): number {
  return edges.meta?.number('part') ?? 1;
}
