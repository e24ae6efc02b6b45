import { fileURLToPath } from 'node:url';

type Bytes = string | Uint8Array;

/** Sends back every byte that it gets, until its input ends. */
export const echoServer: readonly string[] = [process.execPath, fixture('echo.mjs')];

/** Takes note of signals and goes on; answers each line with its number, until its input ends. */
export const stubbornServer: readonly string[] = [process.execPath, fixture('stubborn.mjs')];

/** Says the id of a process that it leaves behind, which holds its output open, and ends with status 3. */
export const leavingServer: readonly string[] = [process.execPath, fixture('leaving.mjs')];

/** A server of SDK v2 with the tool `echo`, for clients of the newest revision and of older ones. */
export const bothErasServer: readonly string[] = [process.execPath, fixture('both-eras.mjs')];

/** Sends back every byte on both outputs, in writes of at most so many bytes, and at the end the hash of them on stderr. */
export function mirrorServer(pieceBytes?: number): readonly string[] {
  return [process.execPath, fixture('mirror.mjs'), ...(pieceBytes === undefined ? [] : [String(pieceBytes)])];
}

/** What a server that does not want to end ignores, and the socket that it holds as long as it lives. */
export interface Lingering {
  readonly lifeline: string;
  readonly ignores: readonly ('EOF' | 'SIGTERM' | 'SIGHUP')[];
  /** Whether another of its kind comes along. */
  readonly child?: boolean;
}

/** Ends with its input, unless it ignores that; says what it ignored. */
export function lingeringServer(what: Lingering): readonly string[] {
  return [process.execPath, fixture('lingering.mjs'), JSON.stringify(what)];
}

/** Runs this script, which has Node's own modules at hand. */
export function scriptServer(script: string): readonly string[] {
  return [process.execPath, '-e', script];
}

/** Says these bytes and ends, in the way that is asked for. */
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
