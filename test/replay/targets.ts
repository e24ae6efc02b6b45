import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export type Era = 'legacy' | 'modern' | 'both';

const server = fileURLToPath(new URL('era-server.mjs', import.meta.url));

/** The command of the conformance server on stdio, for clients of these eras. */
export function eraProgram(era: Era): readonly string[] {
  return [process.execPath, server, era, 'stdio'];
}

/** The flags that point a replay at the conformance server, for clients of these eras. It is stopped after the test. */
export async function eraTarget(era: Era, transport: 'stdio' | 'http'): Promise<readonly string[]> {
  return transport === 'stdio'
    ? ['--', ...eraProgram(era)]
    : ['--target-url', await listening([server, era, 'http'], '/mcp')];
}

/** Starts a server that reports its port on stderr, and returns its URL. */
export async function listening(args: readonly string[], path: string): Promise<string> {
  const env = { ...process.env, PORT: '0' };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const port = await new Promise<string>((resolve, reject) => {
    let sent = '';
    child.stderr.on('data', (chunk: Buffer) => {
      sent += chunk.toString();
      const reported = /listening on port (\d+)/.exec(sent)?.[1];
      if (reported !== undefined) resolve(reported);
    });
    ended.then(() => reject(new Error(`It ended:\n${sent}`)), reject);
  });
  return `http://127.0.0.1:${port}${path}`;
}
