import { fileURLToPath } from 'node:url';

type Bytes = string | Uint8Array;

/** Echoes every byte until its stdin ends. */
export const echoServer: readonly string[] = [process.execPath, fixture('echo.mjs')];

/** Ignores signals and reports them; answers each line with its number until its stdin ends. */
export const stubbornServer: readonly string[] = [process.execPath, fixture('stubborn.mjs')];

/** Prints the pid of a child process that keeps its stdout open, and exits with status 3. */
export const leavingServer: readonly string[] = [process.execPath, fixture('leaving.mjs')];

/** An SDK v2 server with the tool `echo`, for clients of the newest revision and of older ones. */
export const bothErasServer: readonly string[] = [process.execPath, fixture('both-eras.mjs')];

/** Echoes every byte on stdout and stderr, in writes of at most this size, and finally their hash on stderr. */
export function mirrorServer(pieceBytes?: number): readonly string[] {
  return [process.execPath, fixture('mirror.mjs'), ...(pieceBytes === undefined ? [] : [String(pieceBytes)])];
}

/** What a lingering server ignores, and the socket that it keeps open while it runs. */
export interface Lingering {
  readonly lifeline: string;
  readonly ignores: readonly ('EOF' | 'SIGTERM' | 'SIGHUP')[];
  /** Whether it starts a second process like itself. */
  readonly child?: boolean;
}

/** Exits when its stdin ends, unless it ignores that; reports what it ignored. */
export function lingeringServer(what: Lingering): readonly string[] {
  return [process.execPath, fixture('lingering.mjs'), JSON.stringify(what)];
}

/** Runs this script, with Node's built-in modules available. */
export function scriptServer(script: string): readonly string[] {
  return [process.execPath, '-e', script];
}

/** Prints these bytes and exits with this status or signal. */
export function sayingServer(what: { out?: Bytes; err?: Bytes; exit?: number; kill?: NodeJS.Signals }): string[] {
  const { out = '', err = '', ...ending } = what;
  const script = { out: base64(out), err: base64(err), ...ending };
  return [process.execPath, fixture('saying.mjs'), JSON.stringify(script)];
}

function fixture(name: string): string {
  return fileURLToPath(new URL(`../servers/${name}`, import.meta.url));
}

function base64(bytes: Bytes): string {
  return Buffer.from(bytes).toString('base64');
}
