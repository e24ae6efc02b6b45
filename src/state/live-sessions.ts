import { randomBytes } from 'node:crypto';
import { closeSync, constants, lstatSync, openSync, rmSync, writeSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createFolder } from '../files/new-file.ts';
import { removeQuietly } from '../files/remove-quietly.ts';
import { renameOverSync } from '../files/rename-over.ts';
import { startOfProcess } from './process-identity.ts';
import { removeSocketFolder, type SocketMachine, socketPlace } from './socket-place.ts';
import { foreignFolderOn, IS_FOREIGN, isOwnFolder, isTrustedFolder } from './trusted-folder.ts';

/** The announcement of a running session, which other mcpreel processes read. */
export interface RunningSession {
  readonly id: string;
  readonly pid: number;
  readonly startedAtMs: number;
  readonly label: string;
  /** The path of the session's trace file. If the trace rotates, the path of its first part. */
  readonly trace: string;
  /** The session's control socket, if it has one. */
  readonly socket: string | undefined;
  /** The token that a client must send to the control socket, if the session requires one. */
  readonly token: string | undefined;
}

/** An announced session. Other processes can find it until `withdraw` is called. */
export interface LiveAnnouncement {
  /** The path for the session's control socket. Its folder exists and only this user can access it. */
  readonly socket: string | undefined;
  /** The token that clients must present. Only processes that can read the announcement know it. */
  readonly token: string;
  /** Removes the announcement. Never throws. */
  withdraw(): void;
}

const { O_CREAT, O_EXCL, O_WRONLY } = constants;

const TOKEN_BYTES = 32;

/** After this time, a session that is still running listens on its socket. */
const STARTING_MS = 30_000;
/** If a socket does not answer within this time, its session counts as busy but running. */
const CONNECT_MS = 1000;

/**
 * Announces a starting session so that other processes can find it. If that fails, or if there is no place for a socket,
 * calls `onFault` with the reason; recording does not depend on it.
 */
export function announce(
  stateFolder: string,
  session: Omit<RunningSession, 'socket' | 'token'>,
  /** The platform and environment that determine the socket's path. If absent, the session gets no socket. */
  machine: SocketMachine | undefined,
  onFault: (reason: string) => void = () => undefined,
): LiveAnnouncement | undefined {
  const { id, pid, startedAtMs, label, trace } = session;
  if (!isSafeName(id)) return undefined;
  const folder = liveFolder(stateFolder);
  let fault: string | undefined;
  let announcement: LiveAnnouncement | undefined;
  try {
    if (foreignFolderOn(stateFolder) === undefined) createFolder(folder);
    if (isOurs(stateFolder)) {
      const socket = machine && socketPlace(folder, id, machine);
      if (machine !== undefined && socket === undefined) fault = `the path ${folder} is too long for a socket`;
      const processStart = startOfProcess(pid);
      const startedAt = new Date(startedAtMs).toISOString();
      const token = randomBytes(TOKEN_BYTES).toString('hex');
      const path = join(folder, `${id}.json`);
      createWhole(path, JSON.stringify({ id, pid, processStart, startedAt, label, trace, socket, token }));
      const withdraw = (): void => {
        removeQuietly(path);
        if (socket !== undefined) removeSocketFolder(socket);
      };
      announcement = { socket, token, withdraw };
    } else fault = `${foreignFolderOn(stateFolder) ?? folder} ${IS_FOREIGN}`;
  } catch (error) {
    fault = error instanceof Error ? error.message : String(error);
  }
  if (fault !== undefined) onFault(fault);
  return announcement;
}

/**
 * Lists the running sessions and removes what killed sessions left behind. `signal` checks that a process exists and
 * throws if it does not, like `process.kill`. `listens` checks whether a process listens on a socket.
 */
export async function liveSessions(
  stateFolder: string,
  signal: (pid: number, signal: 0) => unknown,
  listens: (socket: string) => Promise<boolean> = someoneListens,
): Promise<RunningSession[]> {
  const folder = liveFolder(stateFolder);
  const names = isUsable(stateFolder) ? await readdir(folder).catch((): string[] => []) : [];
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

/** Returns the folder that contains the announcements of running sessions, and usually their sockets. */
export function liveFolder(stateFolder: string): string {
  return join(stateFolder, 'live');
}

/**
 * Returns whether only this user can write to the folder of announcements. Another user who could write there could make
 * a UI connect to a session of their own.
 */
function isOurs(stateFolder: string): boolean {
  return (
    isTrustedFolder(stateFolder) && foreignFolderOn(stateFolder) === undefined && isOwnFolder(liveFolder(stateFolder))
  );
}

/** Like `isOurs`, but a folder that cannot be examined is not an error: whoever reads recordings there reports it. */
function isUsable(stateFolder: string): boolean {
  try {
    return isOurs(stateFolder);
  } catch {
    return false;
  }
}

function isSafeName(id: string): boolean {
  return /^[\w-]{1,100}$/.test(id);
}

/** Writes a temporary file and renames it, so that readers never see a partial file. Never follows a symlink. */
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

/** Returns `unseen` if the file was removed meanwhile or cannot be read, and `undefined` if its content is invalid. */
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
    // EPERM means that the process exists but may not be sent signals.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  // The operating system reuses the PIDs of processes that ended.
  const start = processStart === undefined ? undefined : startOfProcess(session.pid);
  if (start !== undefined) return start === processStart;
  // Without a process start time, check the socket: only this session's process listens there.
  const { socket, startedAtMs } = session;
  return socket === undefined || Date.now() - startedAtMs < STARTING_MS || listens(socket);
}

/** Returns whether a process listens on a socket or named pipe. If that is unknown, returns true. */
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

/** Removes an announcement and the socket that a killed process left behind. */
function clearAway(path: string, socket: string | undefined): void {
  removeQuietly(path);
  try {
    if (socket === undefined || !lstatSync(socket).isSocket()) return;
    removeQuietly(socket);
    removeSocketFolder(socket);
  } catch {
    // The socket is already gone, or this user may not access it.
  }
}
