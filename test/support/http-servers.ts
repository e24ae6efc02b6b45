import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { HttpTransport } from './sdk-transports.ts';

const everything = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));
const tellingPort = new URL('../servers/telling-port.mjs', import.meta.url).href;

/** Starts server-everything on a free port and returns its URL. It is stopped after the test. */
export async function startEverything(transport: HttpTransport): Promise<string> {
  const port = await portOf([everything, transport === 'sse' ? 'sse' : 'streamableHttp']);
  return `http://localhost:${port}/${transport === 'sse' ? 'sse' : 'mcp'}`;
}

/** Starts a server that reads its port from the environment, and returns the actual port. */
function portOf(program: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, ['--import', tellingPort, ...program], {
    env: { PATH: process.env.PATH ?? '', PORT: '0' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let sent = '';
  return new Promise((resolve, reject) => {
    const look = (chunk: Buffer): void => {
      sent += chunk.toString();
      const port = /^port (\d+)$/m.exec(sent)?.[1];
      if (port !== undefined) resolve(port);
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    child.once('error', reject);
    void ended.then(() => reject(new Error(`It does not listen:\n${sent}`)));
  });
}
