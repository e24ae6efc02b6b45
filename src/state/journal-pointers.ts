import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolder } from '../files/new-file.ts';
import { removeQuietly } from '../files/remove-quietly.ts';
import { foreignStateFolder } from './own-state.ts';
import type { OwnerIdentity } from './process-identity.ts';

/** Where the journal of a session is. It stays until all of the journal is in the trace. */
export interface JournalPointer {
  /** The session's id. */
  readonly id: string;
  readonly journal: string;
  /** The path of the trace, or of its first part. */
  readonly trace: string;
  readonly owner: OwnerIdentity;
}

const { O_CREAT, O_EXCL, O_WRONLY } = constants;

/** The folder of the pointers, in the state folder. */
function pointerFolder(stateFolder: string): string {
  return join(stateFolder, 'journals');
}

/** The path of a session's pointer. */
function pointerPath(stateFolder: string, id: string): string {
  return join(pointerFolder(stateFolder), `${id}.json`);
}

/** Writes a pointer. Throws if that is impossible: without it, no recovery would find the journal. */
export function writePointer(stateFolder: string, pointer: JournalPointer): void {
  for (const part of [undefined, 'journals'] as const) {
    if (foreignStateFolder(stateFolder, part) !== undefined) throw new Error('the state folder is not used');
    createFolder(pointerFolder(stateFolder));
  }
  const descriptor = openSync(pointerPath(stateFolder, pointer.id), O_CREAT | O_EXCL | O_WRONLY, 0o600);
  try {
    writeSync(descriptor, `${JSON.stringify(pointer)}\n`);
  } finally {
    closeSync(descriptor);
  }
}

export function removePointer(stateFolder: string, id: string): void {
  removeQuietly(pointerPath(stateFolder, id));
}

/** Lists the pointers: of running sessions, and of those that were killed. */
export async function readPointers(stateFolder: string): Promise<JournalPointer[]> {
  const folder = pointerFolder(stateFolder);
  const names = await readdir(folder).catch((): string[] => []);
  if (names.length === 0 || foreignStateFolder(stateFolder, 'journals') !== undefined) return [];
  const pointers: JournalPointer[] = [];
  for (const name of names) {
    const text = name.endsWith('.json') ? await readFile(join(folder, name), 'utf8').catch(() => undefined) : undefined;
    const pointer = text === undefined ? undefined : pointerIn(text);
    if (pointer !== undefined && name === `${pointer.id}.json`) pointers.push(pointer);
  }
  return pointers;
}

function pointerIn(text: string): JournalPointer | undefined {
  try {
    const { id, journal, trace, owner } = JSON.parse(text) as Partial<JournalPointer>;
    const isWhole = typeof id === 'string' && typeof journal === 'string' && typeof trace === 'string';
    return isWhole && typeof owner?.pid === 'number' ? { id, journal, trace, owner } : undefined;
  } catch {
    return undefined;
  }
}
