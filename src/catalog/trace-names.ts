import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ReelError } from '../model/errors.ts';
import { formatTraceTime } from '../model/times.ts';
import { readMeta } from '../record/trace-edges.ts';
import { firstPartOf } from '../record/trace-parts.ts';
import { sessionsFolder } from '../state/home.ts';

/** The name of a session's trace: when, what, and the beginning of its id, so that it is found without being opened. */
export function traceFileName(startedAtMs: number, label: string, sessionId: string): string {
  const time = formatTraceTime(startedAtMs).replaceAll(/[:.]/g, '-');
  return `${time}-${safeLabel(label)}-${sessionId.slice(0, DIGITS_IN_NAME)}.jsonl`;
}

/** A label as far as it can be part of a file's name anywhere, its beginning too: no hidden file, nothing like a flag. */
export function safeLabel(label: string): string {
  return label
    .replaceAll(/[^A-Za-z0-9._-]/g, '_')
    .replace(/^[.-]/, '_')
    .slice(0, 60);
}

/** The file names of all traces in the state folder, each part by itself. */
export async function traceNames(stateFolder: string): Promise<string[]> {
  const names = await readdir(sessionsFolder(stateFolder)).catch((): string[] => []);
  return names.filter((name) => name.endsWith('.jsonl'));
}

/** A trace that may be anywhere, and the id of its session. */
export interface TraceElsewhere {
  readonly id: string;
  readonly trace: string;
}

/**
 * The path of the one trace whose session id begins so (of one of its parts, if there are several), or `undefined` if
 * there is none. It is looked for in the state folder and among those elsewhere.
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
    throw new ReelError('session-not-found', `${found.size} sessions have an id that begins with ${idPrefix}`, {
      hint: 'Give more of the id, or the path of the trace.',
    });
  }
  return found.values().next().value;
}

/** Whether a text may be the beginning of an id: at least four digits, so that a short file name is not taken for one. */
function isIdPrefix(text: string): boolean {
  return /^[\da-f]{4,8}(-[\da-f-]*)?$/i.test(text);
}

/** A trace's file name has the beginning of its id; the whole is only in the file. */
const DIGITS_IN_NAME = 8;

/** The id of a trace that begins so. Only where the name does not tell otherwise is the file looked at. */
function idIfItBegins(path: string, prefix: string): string | undefined {
  const digits = idDigitsIn(path);
  if (digits !== undefined && !digits.startsWith(prefix.slice(0, DIGITS_IN_NAME))) return undefined;
  const id = readMeta(path)?.string('id') ?? digits;
  return id?.toLowerCase().startsWith(prefix) ? id : undefined;
}

/** The first digits of a session's id, by the name of its trace. */
export function idDigitsIn(traceName: string): string | undefined {
  return /-([\da-f]{8})(?:-\d+)?\.jsonl$/.exec(firstPartOf(traceName) ?? traceName)?.[1];
}
