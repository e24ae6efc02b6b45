import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Transport } from '../bridge/targets.ts';
import { Notes } from './notes.ts';

/** A way for messages from a client to a server, with mcpreel in it. */
export interface Wire {
  readonly title: string;
  /** How clients reach mcpreel. */
  readonly listen: Transport;
  /** How mcpreel reaches the server. */
  readonly target: Transport;
  /** Whether the newest revision is spoken, which has no handshake. */
  readonly isModern: boolean;
}

/** A server at the end of a wire that tells what reaches it. */
export interface NotingServer {
  readonly notes: Notes;
  /** What mcpreel is told to reach it; nothing may follow it. */
  readonly flags: readonly string[];
  stop(): Promise<void>;
}

const noting = fileURLToPath(new URL('../servers/noting.mjs', import.meta.url));

/** Whether messages keep their order: those of a stream do, and those of HTTP exchanges need not. */
export function keepsOrder({ listen }: Wire): boolean {
  return listen === 'stdio';
}

/** Makes the server of a wire ready. One that is a program is started by mcpreel. */
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
