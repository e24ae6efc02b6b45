import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { reasonOf } from '../files/reason.ts';
import { ReelError } from '../model/errors.ts';
import { formatTraceTime } from '../model/times.ts';
import { readMeta } from '../record/trace-edges.ts';
import { firstPartOf } from '../record/trace-parts.ts';
import { sessionsFolder } from '../state/home.ts';
import { requireOwnState } from '../state/own-state.ts';

/**
 * Builds a trace's file name from its start time, its label and the beginning of its id. The session can be found
 * without opening the file.
 */
export function traceFileName(startedAtMs: number, label: string, sessionId: string): string {
  const time = formatTraceTime(startedAtMs).replaceAll(/[:.]/g, '-');
  return `${time}-${safeLabel(label)}-${sessionId.slice(0, DIGITS_IN_NAME)}.jsonl`;
}

/**
 * Makes a label safe for file names on every platform. The result is never a hidden file and never looks like a flag.
 */
export function safeLabel(label: string): string {
  return label
    .replaceAll(/[^A-Za-z0-9._-]/g, '_')
    .replace(/^[.-]/, '_')
    .slice(0, 60);
}

/**
 * Lists the file names of all traces in the state folder, including each part. Throws if another user could exchange
 * them.
 */
export async function traceNames(stateFolder: string): Promise<string[]> {
  const folder = sessionsFolder(stateFolder);
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return [];
    const what = error.code === 'ENOTDIR' ? 'it is not a folder' : reasonOf(error);
    throw new ReelError('file-unreadable', `Cannot use the state folder ${stateFolder}: ${what}`, {
      hint: 'Check its permissions, or set MCPREEL_HOME to a folder of yours.',
      cause: error,
    });
  });
  if (existsSync(folder)) requireOwnState(stateFolder, 'sessions');
  return names.filter((name) => name.endsWith('.jsonl'));
}

/** A trace outside the state folder, and its session's id. */
export interface TraceElsewhere {
  readonly id: string;
  readonly trace: string;
}

/**
 * Finds the one trace whose session id has this prefix, in the state folder and in `elsewhere`. Returns the path of one
 * of its parts, or `undefined` if no trace matches.
 */
export async function findTrace(
  stateFolder: string,
  idPrefix: string,
  elsewhere: readonly TraceElsewhere[] = [],
): Promise<string | undefined> {
  if (!isIdPrefix(idPrefix)) return undefined;
  const prefix = idPrefix.toLowerCase();
  const found = new Map<string, string>();
  for (const { id, trace } of elsewhere) if (id.toLowerCase().startsWith(prefix)) found.set(`${trace} ${id}`, trace);
  for (const name of await traceNames(stateFolder)) {
    const path = join(sessionsFolder(stateFolder), name);
    const id = idIfItBegins(path, prefix);
    if (id !== undefined) found.set(`${firstPartOf(path) ?? path} ${id}`, path);
  }
  if (found.size > 1) {
    throw new ReelError('session-not-found', `${found.size} session ids start with ${idPrefix}`, {
      hint: 'Type more digits, or the path of the trace.',
    });
  }
  return found.values().next().value;
}

/** Why a reference that was not found cannot be an id prefix: it has fewer digits than one needs. */
export function tooShortId(text: string): ReelError | undefined {
  if (!/^[\da-f]{1,3}$/i.test(text)) return undefined;
  return new ReelError('session-not-found', `${text} is too short`, {
    hint: 'Pass at least the first 4 characters of the session id. List sessions: mcpreel sessions',
  });
}

/** Returns whether a text may be an id prefix. It needs at least four digits, so that short file names do not match. */
function isIdPrefix(text: string): boolean {
  return /^[\da-f]{4,8}(-[\da-f-]*)?$/i.test(text);
}

/** A trace's file name contains the beginning of the session id. Only the file contains the whole id. */
const DIGITS_IN_NAME = 8;

/** Returns the id of a trace if it has this prefix. The file is only read if its name does not rule that out. */
function idIfItBegins(path: string, prefix: string): string | undefined {
  const digits = idDigitsIn(path);
  if (digits !== undefined && !digits.startsWith(prefix.slice(0, DIGITS_IN_NAME))) return undefined;
  const id = readMeta(path)?.string('id') ?? digits;
  return id?.toLowerCase().startsWith(prefix) ? id : undefined;
}

/** Extracts the first digits of the session id from a trace's file name. */
export function idDigitsIn(traceName: string): string | undefined {
  return /-([\da-f]{8})(?:-\d+)?\.jsonl$/.exec(firstPartOf(traceName) ?? traceName)?.[1];
}
