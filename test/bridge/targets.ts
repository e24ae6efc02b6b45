import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export type Transport = 'stdio' | 'sse' | 'streamable-http';

/** A server that mcpreel can proxy. */
export interface Target {
  /** The mcpreel flags that select this server. */
  readonly flags: readonly string[];
  stop(): Promise<void>;
}

const everything = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));
const tellingPort = new URL('../servers/telling-port.mjs', import.meta.url).href;
const bothErasStdio = fileURLToPath(new URL('both-eras-stdio.mjs', import.meta.url));
const bothErasHttp = fileURLToPath(new URL('../servers/conformance/main.mjs', import.meta.url));

/** An SDK v1 server that sends sampling and roots requests to its clients. */
export function everythingOver(transport: Transport): Promise<Target> {
  if (transport === 'stdio') return program([process.execPath, everything, 'stdio']);
  const [name, path] = transport === 'sse' ? ['sse', '/sse'] : ['streamableHttp', '/mcp'];
  return address(transport, path, [everything, name]);
}

/** An SDK v2 server for clients of both protocol eras. */
export function bothErasOver(transport: 'stdio' | 'streamable-http'): Promise<Target> {
  if (transport === 'stdio') return program([process.execPath, bothErasStdio]);
  return address(transport, '/mcp', [bothErasHttp]);
}

async function program(command: readonly string[]): Promise<Target> {
  return { flags: ['--transport', 'stdio', '--', ...command], stop: async () => undefined };
}

async function address(transport: Transport, path: string, server: readonly string[]): Promise<Target> {
  const child = spawn(process.execPath, ['--import', tellingPort, ...server], {
    env: { ...process.env, PORT: '0' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  const port = await new Promise<string>((resolve, reject) => {
    let sent = '';
    const look = (chunk: Buffer): void => {
      sent += chunk.toString();
      const reported = /^port (\d+)$/m.exec(sent)?.[1];
      if (reported !== undefined) resolve(reported);
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    ended.then(() => reject(new Error(`It ended:\n${sent}`)), reject);
  });
  return {
    flags: ['--transport', transport, '--target-url', `http://127.0.0.1:${port}${path}`],
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
