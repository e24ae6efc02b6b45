import { realpathSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openFileSource } from '../files/file-source.ts';
import { removeQuietly } from '../files/remove-quietly.ts';
import { readSource } from '../formats/registry.ts';
import { nextName } from '../record/journal/journal-file.ts';
import type { JournalHead } from '../record/journal/journal-head.ts';
import { saveSessionFile } from '../record/save-session-file.ts';
import { firstPartOf, partsOf } from '../record/trace-parts.ts';
import { claimJournal, returnJournal } from '../state/journal-claim.ts';
import { type JournalPointer, readPointers, removePointer } from '../state/journal-pointers.ts';
import { stateOf } from '../state/process-identity.ts';
import { type JournalRecovery, recoverJournal } from './recover-journal.ts';

/** The process that recovers sessions. */
export interface RecoveryPlace {
  readonly stateFolder: string;
  readonly pid: number;
  /** Checks that a process exists and throws if it does not, like `process.kill`. */
  readonly signal: (pid: number, signal: 0) => unknown;
  readonly nowMs: () => number;
}

/** What became of one journal. */
export interface LeftoverReport {
  readonly pointer: JournalPointer;
  /** `running`: its session still runs, and writes its own trace. */
  readonly outcome: JournalRecovery | { readonly kind: 'running' };
  /** The session file that was written. */
  readonly sessionFile?: string | undefined;
}

const WAIT_MS = 20;
const MAX_WAITS = 500;

/** Recovers the sessions that were killed, or those of them that are selected. */
export async function recoverLeftovers(
  place: RecoveryPlace,
  isSelected: (pointer: JournalPointer) => boolean = () => true,
): Promise<LeftoverReport[]> {
  const reports: LeftoverReport[] = [];
  for (const pointer of await readPointers(place.stateFolder)) {
    if (!isSelected(pointer)) continue;
    const report = await recoverOne(pointer, place);
    if (report !== undefined) reports.push(report);
  }
  return reports;
}

/** Whether a pointer is that of a session: named by the beginning of its id, or by the path of its trace or a part of it. */
export function isMeant({ id, trace }: JournalPointer, reference: string): boolean {
  if (/^[\da-f-]{4,36}$/i.test(reference) && id.startsWith(reference.toLowerCase())) return true;
  const path = realPathOf(trace);
  return path === realPathOf(reference) || path === realPathOf(firstPartOf(reference) ?? reference);
}

async function recoverOne(pointer: JournalPointer, place: RecoveryPlace): Promise<LeftoverReport | undefined> {
  const state = stateOf(pointer.owner, place.signal);
  if (state === 'running') return { pointer, outcome: { kind: 'running' } };
  if (state === 'foreign') {
    return { pointer, outcome: { kind: 'left', why: 'its process belongs to another container, and may still run' } };
  }
  for (let waits = 0; ; waits++) {
    const claim = claimJournal(pointer.journal, place.pid, place.signal);
    if (claim === 'none') {
      removePointer(place.stateFolder, pointer.id);
      return undefined;
    }
    if (claim === 'not ours') return { pointer, outcome: { kind: 'left', why: 'it belongs to another user' } };
    if (claim !== 'taken') return recoverClaimed(claim.path, pointer, place);
    // Another process recovers it.
    if (waits === MAX_WAITS) return undefined;
    await delay(WAIT_MS);
  }
}

async function recoverClaimed(claimed: string, pointer: JournalPointer, place: RecoveryPlace): Promise<LeftoverReport> {
  const outcome = await recoverJournal(claimed, place.nowMs());
  if (outcome.kind === 'left') {
    returnJournal(claimed, pointer.journal);
    return { pointer, outcome };
  }
  const sessionFile = outcome.kind === 'recovered' ? await saved(outcome.head, outcome.trace) : undefined;
  removeQuietly(claimed);
  removeQuietly(nextName(pointer.journal));
  removePointer(place.stateFolder, pointer.id);
  return { pointer, outcome, sessionFile };
}

/**
 * Writes the session file that the session would have written, unless another session has written it since. Its path comes
 * from the journal: a trace may come from another user.
 */
async function saved({ sessionFile, keepsTrace, header }: JournalHead, trace: string): Promise<string | undefined> {
  if (sessionFile === undefined) return undefined;
  const existing = statSync(sessionFile, { throwIfNoEntry: false });
  // Opening a pipe or a device may block forever.
  if (existing !== undefined && !existing.isFile()) return undefined;
  const holder = existing === undefined ? header.id : await sessionIn(sessionFile);
  if (holder !== header.id) return undefined;
  try {
    await saveSessionFile(trace, sessionFile);
    if (!keepsTrace) for (const part of await partsOf(trace)) await rm(part, { force: true });
    return sessionFile;
  } catch {
    // The trace has everything.
    return undefined;
  }
}

async function sessionIn(path: string): Promise<string | undefined> {
  try {
    const { header } = await readSource(await openFileSource(path), { onProblem: () => undefined });
    return header.id;
  } catch {
    return undefined;
  }
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
