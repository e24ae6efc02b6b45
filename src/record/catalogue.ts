import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { formatTraceTime } from '../model/times.ts';
import { sessionsFolder } from '../state/home.ts';

/** The name of a session's trace: when, what, and the beginning of its id, so that it is found without being opened. */
export function traceFileName(startedAtMs: number, label: string, sessionId: string): string {
  const time = formatTraceTime(startedAtMs).replaceAll(/[:.]/g, '-');
  const safeLabel = label.replaceAll(/[^A-Za-z0-9._-]/g, '_').slice(0, 60);
  return `${time}-${safeLabel}-${sessionId.slice(0, 8)}.jsonl`;
}

/** The traces in the state folder whose session id begins with these characters. */
export async function tracesById(stateFolder: string, idPrefix: string): Promise<string[]> {
  const wanted = idPrefix.slice(0, 8).toLowerCase();
  const names = await traceNames(stateFolder);
  return names.filter((name) => idIn(name)?.startsWith(wanted)).map((name) => join(sessionsFolder(stateFolder), name));
}

/** The file names of all traces in the state folder. */
export async function traceNames(stateFolder: string): Promise<string[]> {
  const names = await readdir(sessionsFolder(stateFolder)).catch((): string[] => []);
  return names.filter((name) => name.endsWith('.jsonl'));
}

function idIn(fileName: string): string | undefined {
  return /-([\da-f]{8})(?:-\d+)?\.jsonl$/.exec(fileName)?.[1];
}
