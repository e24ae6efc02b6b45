import { spawn, spawnSync } from 'node:child_process';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { StdioTargetOptions } from '../../../transport/outbound/connect-target.ts';
import type { TargetProcess } from '../../../transport/process/target-process.ts';
import type { CommandEnvironment } from '../../context.ts';
import { startServer } from '../../early-start.ts';

/** Tells the guard process that the server has already ended. */
const OVER = 'over';

/** How long a server has to notice that its screen is gone, and then to exit. */
const NOTICE_MS = 900;
const END_MS = 700;

/**
 * Starts a server that never outlives this process. A guard process waits for the end of a pipe that only this process
 * holds open, then stops the server.
 */
export async function startGuarded(options: StdioTargetOptions, context: CommandEnvironment): Promise<TargetProcess> {
  const program = join(context.programFolder, 'mcpreel.cjs');
  const guard = spawn(process.execPath, [program, 'tui', '--guard'], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // Signals to this terminal's process group must not reach the guard.
    detached: true,
    windowsHide: true,
  });
  guard.on('error', () => undefined);
  guard.unref();
  // Without free file descriptors, Node creates no pipe.
  const pipe = guard.stdin as Socket | undefined;
  pipe?.on('error', () => undefined);
  pipe?.unref();
  const server = await startServer(options, context);
  pipe?.write(`${server.pid ?? OVER}\n`);
  void server.exited.then(() => pipe?.end(`${OVER}\n`));
  return server;
}

/** The guard process: its stdin carries the id of the process group, and the end of stdin is the time to stop it. */
export async function guardServer(): Promise<void> {
  process.on('SIGHUP', () => undefined);
  let reported = '';
  process.stdin.setEncoding('utf8');
  for await (const text of process.stdin) reported += text;
  const [pid = OVER, isOver] = reported.split('\n');
  if (pid === OVER || isOver === OVER) return;
  await delay(NOTICE_MS);
  signalGroup(Number(pid), 'SIGTERM');
  await delay(END_MS);
  signalGroup(Number(pid), 'SIGKILL');
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true });
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has already ended.
  }
}
