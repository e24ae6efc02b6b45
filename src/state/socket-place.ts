import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { isSafeBase } from './trusted-folder.ts';

/** The platform and environment variables that determine where a socket can be. */
export interface SocketMachine {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Operating systems silently truncate longer socket paths, some at 104 bytes. */
const MAX_PATH_BYTES = 100;

/**
 * Chooses the path of a session's control socket. It is next to the announcement, or in a private folder of its own if
 * that path is too long for a socket. Returns `undefined` if there is nowhere to create such a folder.
 */
export function socketPlace(liveFolder: string, id: string, { platform, env }: SocketMachine): string | undefined {
  if (platform === 'win32') return `\\\\.\\pipe\\mcpreel-${randomBytes(16).toString('hex')}`;
  const beside = join(liveFolder, `${id}.sock`);
  if (fits(beside)) return beside;
  for (const base of runtimeFolders(env)) {
    if (!fits(join(base, `${OWN_FOLDER}xxxxxx`, SHORT_NAME)) || !isSafeBase(base)) continue;
    try {
      // A new folder that only this user can enter, under a name that no other user could prepare.
      return join(mkdtempSync(join(base, OWN_FOLDER)), SHORT_NAME);
    } catch {
      // It cannot be created there.
    }
  }
  return undefined;
}

/** Removes the private folder of a socket, if it has one. */
export function removeSocketFolder(socket: string): void {
  const folder = dirname(socket);
  if (basename(socket) !== SHORT_NAME || !basename(folder).startsWith(OWN_FOLDER)) return;
  try {
    rmdirSync(folder);
  } catch {
    // It is not empty, or is already gone.
  }
}

const OWN_FOLDER = 'mcpreel-';
const SHORT_NAME = 'session.sock';

function runtimeFolders(env: SocketMachine['env']): string[] {
  const { XDG_RUNTIME_DIR: runtime } = env;
  return [...(runtime !== undefined && isAbsolute(runtime) ? [runtime] : []), tmpdir(), '/tmp'];
}

function fits(path: string): boolean {
  return Buffer.byteLength(path) <= MAX_PATH_BYTES;
}
