import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { removeQuietly } from '../files/remove-quietly.ts';
import { renameOverSync } from '../files/rename-over.ts';
import { type SocketMachine, socketPlace } from './socket-place.ts';

/** What a running session tells of itself. */
export interface RunningSession {
  readonly id: string;
  readonly pid: number;
  readonly startedAtMs: number;
  readonly label: string;
  /** The path of its trace; of the first part, if there are several. */
  readonly trace: string;
  /** Where it can be spoken to, if there is such a place. */
  readonly socket: string | undefined;
  /** What whoever speaks to it has to know, where it is asked for. */
  readonly token: string | undefined;
}

/** A session that others can find, until it withdraws. */
export interface LiveAnnouncement {
  /** Where the session may listen. Its folder is there and belongs to this user alone. */
  readonly socket: string | undefined;
  /** What it asks of those who come, so that only readers of the announcement are let in. */
  readonly token: string;
  /** Takes the announcement back. Never throws. */
  withdraw(): void;
}

const { O_CREAT, O_EXCL, O_WRONLY } = constants;

const TOKEN_BYTES = 32;

/** A session that began this long ago listens at its socket, if it still runs. */
const STARTING_MS = 30_000;
/** One that does not answer within this is busy, but there. */
const CONNECT_MS = 1000;

/**
 * Lets others find a session that begins. It is `undefined` where that cannot be done: a recording does not depend on
 * it.
 */
export function announce(
  stateFolder: string,
  session: Omit<RunningSession, 'socket' | 'token'>,
  /** Where it may listen; nowhere if absent. */
  machine: SocketMachine | undefined,
): LiveAnnouncement | undefined {
  const { id, pid, startedAtMs, label, trace } = session;
  if (!isSafeName(id)) return undefined;
  try {
    const folder = liveFolder(stateFolder);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isOurs(folder)) return undefined;
    const socket = machine && socketPlace(folder, id, machine);
    const processStart = startOfProcess(pid);
    const startedAt = new Date(startedAtMs).toISOString();
    const token = randomBytes(TOKEN_BYTES).toString('hex');
    const path = join(folder, `${id}.json`);
    createWhole(path, JSON.stringify({ id, pid, processStart, startedAt, label, trace, socket, token }));
    return { socket, token, withdraw: () => removeQuietly(path) };
  } catch {
    return undefined;
  }
}

/**
 * The sessions that run now. What a session left behind that was killed is removed. `signal` is how a process is asked
 * whether it is there: it throws where it is not, like `process.kill`. `listens` tells whether anybody listens at a
 * socket.
 */
export async function liveSessions(
  stateFolder: string,
  signal: (pid: number, signal: 0) => unknown,
  listens: (socket: string) => Promise<boolean> = someoneListens,
): Promise<RunningSession[]> {
  const folder = liveFolder(stateFolder);
  const names = isOurs(folder) ? await readdir(folder).catch((): string[] => []) : [];
  const live: RunningSession[] = [];
  for (const name of names) {
    if (!name.endsWith('.json')) continue;
    const path = join(folder, name);
    const announced = await readAnnouncement(path);
    if (announced === 'unseen') continue;
    if (announced !== undefined && (await isRunning(announced, signal, listens))) live.push(announced.session);
    else clearAway(path, announced?.session.socket);
  }
  return live;
}

/** Where sessions that run announce themselves, and mostly have their sockets. */
export function liveFolder(stateFolder: string): string {
  return join(stateFolder, 'live');
}

/**
 * Whether nobody but this user can put anything into a folder: who could, could have a screen talk to a session of theirs.
 * One of the user's own that is open to others is closed; only its owner, or root, can do that.
 */
function isOurs(folder: string): boolean {
  try {
    chmodSync(folder, statSync(folder).mode & 0o755);
    return true;
  } catch {
    return false;
  }
}

function isSafeName(id: string): boolean {
  return /^[\w-]{1,100}$/.test(id);
}

/** Under another name first, so that nobody ever reads half of it; never through a link. */
function createWhole(path: string, text: string): void {
  const temporary = `${path}.tmp`;
  rmSync(temporary, { force: true });
  try {
    const descriptor = openSync(temporary, O_CREAT | O_EXCL | O_WRONLY, 0o600);
    try {
      writeSync(descriptor, `${text}\n`);
    } finally {
      closeSync(descriptor);
    }
    renameOverSync(temporary, path);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
}

interface AnnouncedSession {
  readonly session: RunningSession;
  readonly processStart: string | undefined;
}

/** `unseen` if it was withdrawn meanwhile or cannot be looked at, `undefined` if it makes no sense. */
async function readAnnouncement(path: string): Promise<AnnouncedSession | 'unseen' | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return 'unseen';
  const { id, pid, processStart, startedAt, label, trace, socket, token } = parseObject(text);
  const startedAtMs = typeof startedAt === 'string' ? Date.parse(startedAt) : Number.NaN;
  if (typeof id !== 'string' || typeof label !== 'string' || typeof trace !== 'string') return undefined;
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0 || Number.isNaN(startedAtMs)) return undefined;
  return {
    session: { id, pid, startedAtMs, label, trace, socket: stringOrNone(socket), token: stringOrNone(token) },
    processStart: stringOrNone(processStart),
  };
}

function stringOrNone(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return { ...JSON.parse(text) };
  } catch {
    return {};
  }
}

async function isRunning(
  { session, processStart }: AnnouncedSession,
  signal: (pid: number, signal: 0) => unknown,
  listens: (socket: string) => Promise<boolean>,
): Promise<boolean> {
  try {
    signal(session.pid, 0);
  } catch (error) {
    // A process that may not be signalled is there.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  // The number of a process that ended is given to another one in time.
  const start = processStart === undefined ? undefined : startOfProcess(session.pid);
  if (start !== undefined) return start === processStart;
  // Where nothing tells when a process began, a socket tells whose it is: nobody else listens there.
  const { socket, startedAtMs } = session;
  return socket === undefined || Date.now() - startedAtMs < STARTING_MS || listens(socket);
}

/** Whether a process listens at a socket or a named pipe. Where that cannot be found out, one does. */
function someoneListens(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket);
    const finish = (listens: boolean): void => {
      connection.destroy();
      resolve(listens);
    };
    connection.once('connect', () => finish(true));
    connection.once('error', ({ code }: NodeJS.ErrnoException) => finish(code !== 'ENOENT' && code !== 'ECONNREFUSED'));
    connection.setTimeout(CONNECT_MS, () => finish(true));
  });
}

/** When a process began, in the words of Linux; `undefined` elsewhere. */
function startOfProcess(pid: number): string | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program's name in parentheses, which may hold anything; the 22nd is the start.
    return status.slice(status.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

/** The announcement, and the socket that a killed process could not remove. */
function clearAway(path: string, socket: string | undefined): void {
  removeQuietly(path);
  try {
    if (socket !== undefined && lstatSync(socket).isSocket()) removeQuietly(socket);
  } catch {
    // It is gone, or not ours to look at.
  }
}
