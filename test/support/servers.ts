import { fileURLToPath } from 'node:url';

type Bytes = string | Uint8Array;

/** Sends back every byte that it gets, until its input ends. */
export const echoServer: readonly string[] = [process.execPath, fixture('echo.mjs')];

/** Takes note of signals and goes on; answers each line with its number, until its input ends. */
export const stubbornServer: readonly string[] = [process.execPath, fixture('stubborn.mjs')];

/** Says the id of a process that it leaves behind, which holds its output open, and ends with status 3. */
export const leavingServer: readonly string[] = [process.execPath, fixture('leaving.mjs')];

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
