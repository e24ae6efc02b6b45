import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** The platform and environment variables that determine where a socket can be. */
export interface SocketMachine {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Operating systems silently truncate longer socket paths, some at 104 bytes. */
const MAX_PATH_BYTES = 100;

/**
 * Chooses the path of a session's control socket. It is next to the announcement, or in a private runtime folder if
 * that path is too long for a socket. Returns `undefined` if there is no folder that surely belongs to this user alone.
 */
export function socketPlace(liveFolder: string, id: string, { platform, env }: SocketMachine): string | undefined {
  if (platform === 'win32') return `\\\\.\\pipe\\mcpreel-${randomBytes(16).toString('hex')}`;
  const beside = join(liveFolder, `${id}.sock`);
  if (fits(beside)) return beside;
  const { uid, username } = userInfo();
  const shortName = `${id.replaceAll('-', '').slice(0, 16)}.sock`;
  const own = runtimeFolders(env).map((folder) => join(folder, `mcpreel-${uid >= 0 ? uid : username}`));
  const folder = own.find((candidate) => fits(join(candidate, shortName)) && isPrivate(candidate, uid));
  return folder && join(folder, shortName);
}

function runtimeFolders(env: SocketMachine['env']): string[] {
  const { XDG_RUNTIME_DIR: runtime } = env;
  return [...(runtime !== undefined && isAbsolute(runtime) ? [runtime] : []), tmpdir(), '/tmp'];
}

function fits(path: string): boolean {
  return Buffer.byteLength(path) <= MAX_PATH_BYTES;
}

/**
 * Creates the folder if necessary. In a world-writable parent folder, another user may have created one with this name.
 */
function isPrivate(folder: string, uid: number): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch {
    const status = lstatSync(folder, { throwIfNoEntry: false });
    return status?.isDirectory() === true && status.uid === uid && (status.mode & 0o077) === 0;
  }
}
