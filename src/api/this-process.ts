import { randomUUID } from 'node:crypto';
import type { StdioTargetOptions } from '../capture/capture-options.ts';
import { steadyClock } from '../model/steady-clock.ts';
import { stateHome } from '../state/home.ts';
import { startTarget, type TargetProcess } from '../transport/process/target-process.ts';

const elapsedMs = performance.now.bind(performance);

/** What the library needs of the process that it runs in: the one place that reads it. */
export const thisProcess: {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  readonly pid: number;
  readonly execPath: string;
  readonly version: string;
  readonly nowMs: () => number;
  readonly newId: () => string;
} = {
  env: process.env,
  platform: process.platform,
  pid: process.pid,
  execPath: process.execPath,
  version: __MCPREEL_VERSION__,
  /** Another clock for each session: what was set back before it began is none of its business. */
  get nowMs() {
    return steadyClock(Date.now, elapsedMs);
  },
  newId: randomUUID,
};

/** Where recordings are kept that were given no other place. */
export function stateFolder(): string {
  return stateHome(process.env, process.platform);
}

/** Whether nobody is there to look at what is added to recordings. */
export function isCi(): boolean {
  return process.env.CI === 'true';
}

/** Starts a server that is a program. For a target with an address nothing is ever started. */
export function startServer(
  target: { readonly transport: string } & Partial<StdioTargetOptions>,
): Promise<TargetProcess> {
  const { command = [], env = {}, cwd } = target;
  return startTarget({
    command,
    cwd,
    env: { ...process.env, ...env },
    platform: process.platform,
    kill: (pid, signal) => process.kill(pid, signal),
  });
}
