import { randomUUID } from 'node:crypto';
import { steadyClock } from '../model/steady-clock.ts';
import { stateHome } from '../state/home.ts';
import type { StdioTargetOptions } from '../transport/outbound/connect-target.ts';
import { startTarget, type TargetProcess } from '../transport/process/target-process.ts';

const elapsedMs = performance.now.bind(performance);

/** The process facts that the library needs. All code in src/api reads the process through this module. */
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
  /** Creates a new clock for each session, so that clock changes before the session have no effect on it. */
  get nowMs() {
    return steadyClock(Date.now, elapsedMs);
  },
  newId: randomUUID,
};

/** Returns the default folder for recordings. */
export function stateFolder(): string {
  return stateHome(process.env, process.platform);
}

/** Returns whether the tests run in CI, where no one reviews changes to recordings. */
export function isCi(): boolean {
  return process.env.CI === 'true';
}

/** Starts the server's program. Targets with a URL are never started. */
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
