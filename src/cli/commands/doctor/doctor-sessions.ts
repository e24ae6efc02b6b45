import { lstat, readdir, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { ObjectView } from '../../../json/object-view.ts';
import { ReelError } from '../../../model/errors.ts';
import { shellLine } from '../../../model/shell-line.ts';
import { countOf, formatSize } from '../../../present/figures.ts';
import { recoveredPath } from '../../../record/save-session-file.ts';
import { liveFolder, type RunningSession } from '../../../state/live-sessions.ts';
import type { CommandEnvironment } from '../../context.ts';
import { type KnownSession, knownSessions } from '../sessions/sessions-lookup.ts';
import { bytesOf } from '../sessions/sessions-remove.ts';
import { checksOf, type DoctorCheck } from './doctor-check.ts';

const { ok, note, wrong } = checksOf('sessions');

const ANSWER_MS = 1000;

/**
 * Reports running sessions, leftovers, and recordings that were not saved properly; or that they cannot be listed, unless
 * a problem with their folder `isReported` already.
 */
export async function checkSessions(context: CommandEnvironment, isReported: boolean): Promise<DoctorCheck[]> {
  const before = await announcements(context.stateFolder);
  let known: readonly KnownSession[];
  try {
    known = await knownSessions(context);
  } catch (error) {
    if (!(error instanceof ReelError)) throw error;
    return isReported ? [] : [wrong(error.message, error.hint ?? '')];
  }
  const after = await announcements(context.stateFolder);
  const cleared = before.filter((name) => !after.includes(name)).length;
  return [
    ...checkRecorded(known),
    ...(await checkRunning(known)),
    ...(cleared === 0 ? [] : [ok(`removed leftovers of ${countOf(cleared, 'killed session')}`)]),
    ...(await checkSockets(context.stateFolder, known)),
    ...(await checkCutShort(known)),
  ];
}

function checkRecorded(known: readonly KnownSession[]): DoctorCheck[] {
  if (known.length === 0) return [note('no recordings yet', 'Try it: mcpreel demo')];
  return [ok(`${countOf(known.length, 'session')} recorded, ${formatSize(bytesOf(known))}`)];
}

async function checkRunning(known: readonly KnownSession[]): Promise<DoctorCheck[]> {
  const running = known.flatMap(({ live }) => live ?? []);
  if (running.length === 0) return known.length === 0 ? [] : [ok('no session is running')];
  return Promise.all(running.map(checkLive));
}

async function checkLive({ id, label, pid, socket }: RunningSession): Promise<DoctorCheck> {
  const who = `session ${id.slice(0, 8)} (${label}, process ${pid})`;
  if (socket === undefined) return ok(`${who} is running`);
  return (await answers(socket))
    ? ok(`${who} is running and can be watched`)
    : wrong(`${who} is running but cannot be watched: no reply at ${socket}`, 'Restart the client that started it.');
}

/** A leftover socket has no announcement. */
async function checkSockets(stateFolder: string, known: readonly KnownSession[]): Promise<DoctorCheck[]> {
  const folder = liveFolder(stateFolder);
  const names = (await readdir(folder).catch((): string[] => [])).filter((name) => name.endsWith('.sock'));
  const dead: string[] = [];
  for (const path of names.map((name) => join(folder, name))) {
    const isSocket = (await lstat(path).catch(() => undefined))?.isSocket() === true;
    const isAnnounced = known.some(({ live }) => live?.socket === path);
    if (isSocket && !isAnnounced && !(await answers(path))) dead.push(path);
  }
  if (dead.length === 0) return [];
  return [note(`${countOf(dead.length, 'socket')} of ended sessions`, shellLine(['rm', ...dead], 'linux'))];
}

/** Sessions whose session file was requested but not written, or not completely. The others have only their trace. */
async function checkCutShort(known: readonly KnownSession[]): Promise<DoctorCheck[]> {
  const checks: DoctorCheck[] = [];
  let others = 0;
  for (const session of known) {
    if (session.footer !== undefined || session.live !== undefined) continue;
    const { id, label, keepsakes } = session.header;
    const requested = ObjectView.of(keepsakes?.trace ?? '{}')?.string('sessionFile');
    const places = [requested, recoveredPath(session.files[0]?.path ?? '')].filter((path) => path !== undefined);
    if (requested === undefined || (await isSaved(places, session.modifiedAtMs))) {
      others++;
      continue;
    }
    const what = `session ${id.slice(0, 8)} (${label}) was cut short before ${requested} was written`;
    checks.push(wrong(what, shellLine(['mcpreel', 'sessions', 'recover', id.slice(0, 8)], 'linux')));
  }
  if (others > 0) checks.push(note(`${countOf(others, 'session')} cut short; the messages up to then are recorded`));
  return checks;
}

async function isSaved(paths: readonly string[], recordedAtMs: number): Promise<boolean> {
  const found = await Promise.all(paths.map((path) => stat(path).catch(() => undefined)));
  return found.some((status) => status !== undefined && status.mtimeMs >= recordedAtMs);
}

async function announcements(stateFolder: string): Promise<string[]> {
  const names = await readdir(liveFolder(stateFolder)).catch((): string[] => []);
  return names.filter((name) => name.endsWith('.json'));
}

function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket);
    const finish = (isThere: boolean): void => {
      connection.destroy();
      resolve(isThere);
    };
    connection.setTimeout(ANSWER_MS, () => finish(false));
    connection.once('connect', () => finish(true)).on('error', () => finish(false));
  });
}
