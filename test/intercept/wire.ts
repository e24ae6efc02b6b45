import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Transport } from '../bridge/targets.ts';
import { Notes } from './notes.ts';

/** The transports between a client, mcpreel and a server. */
export interface Wire {
  readonly title: string;
  /** How clients connect to mcpreel. */
  readonly listen: Transport;
  /** How mcpreel connects to the server. */
  readonly target: Transport;
  /** Whether the newest revision is used, which has no handshake. */
  readonly isModern: boolean;
}

/** A server of a wire that reports what it receives. */
export interface NotingServer {
  readonly notes: Notes;
  /** The mcpreel flags that select this server; they must come last. */
  readonly flags: readonly string[];
  stop(): Promise<void>;
}

const noting = fileURLToPath(new URL('../servers/noting.mjs', import.meta.url));

/** Whether messages keep their order: on one stream they do, across HTTP exchanges they may not. */
export function keepsOrder({ listen }: Wire): boolean {
  return listen === 'stdio';
}

/** Prepares the server of a wire. mcpreel starts a stdio server itself. */
export async function startServer(transport: Transport): Promise<NotingServer> {
  const notes = new Notes();
  await notes.open();
  const command = [process.execPath, noting, transport, notes.path];
  if (transport === 'stdio')
    return { notes, flags: ['--transport', 'stdio', '--', ...command], stop: () => notes.close() };
  const child = spawn(process.execPath, command.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
    ended.then(() => reject(new Error('It ended before it listened.')), reject);
  });
  return {
    notes,
    flags: ['--transport', transport, '--target-url', address],
    async stop() {
      child.stdin.end();
      await ended;
      await notes.close();
    },
  };
}
