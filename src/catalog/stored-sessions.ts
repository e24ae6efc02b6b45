import { rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { reasonOf } from '../files/reason.ts';
import { ReelError } from '../model/errors.ts';
import { recoveredPath } from '../record/save-session-file.ts';
import { firstPartOf, partsOf } from '../record/trace-parts.ts';
import { sessionsFolder } from '../state/home.ts';
import { SeenParts, type StoredPart, type StoredSession, sessionOf } from './stored-session.ts';
import { traceNames } from './trace-names.ts';

/** Lists the sessions in the state folder, newest first. */
export async function storedSessions(stateFolder: string): Promise<StoredSession[]> {
  const folder = sessionsFolder(stateFolder);
  const seen = new SeenParts();
  const sessions: StoredSession[] = [];
  const rotated: StoredPart[] = [];
  for (const name of await traceNames(stateFolder)) {
    const part = seen.see(folder, name);
    if (part?.part !== undefined) rotated.push(part);
    else if (part !== undefined) add(sessions, sessionOf([part]));
  }
  for (const parts of grouped(rotated)) add(sessions, sessionOf(parts));
  return sessions.sort((a, b) => b.startedAtMs - a.startedAtMs);
}

function add(sessions: StoredSession[], session: StoredSession | undefined): void {
  if (session !== undefined) sessions.push(session);
}

/** Returns the session of a trace, by the path of any of its parts. */
export async function storedSession(path: string): Promise<StoredSession | undefined> {
  const seen = new SeenParts();
  return sessionOf((await partsOf(path)).flatMap((part) => seen.see(dirname(part), basename(part)) ?? []));
}

/** Deletes all trace files of a session, and the session file that was recovered from them. */
export async function removeSession({ files }: StoredSession): Promise<void> {
  const paths = files.map(({ path }) => path);
  for (const path of [...paths, ...new Set(paths.map(recoveredPath))]) {
    try {
      await rm(path, { force: true });
    } catch (error) {
      throw new ReelError('file-unwritable', `Cannot delete ${path}: ${reasonOf(error)}`, { cause: error });
    }
  }
}

/** Groups files by session, with the parts of each session in order. */
function grouped(files: readonly StoredPart[]): StoredPart[][] {
  const groups = new Map<string, StoredPart[]>();
  for (const file of files) {
    const key = groupOf(file);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [file]);
    else group.push(file);
  }
  return [...groups.values()].map((parts) => parts.sort((a, b) => numberOf(a) - numberOf(b)));
}

/** The parts of a trace have the same name except for the part number, and the same id in their meta lines. */
function groupOf({ path, id }: StoredPart): string {
  const name = basename(path);
  return `${firstPartOf(name) ?? name} ${id}`;
}

function numberOf({ part }: StoredPart): number {
  return part ?? 1;
}
