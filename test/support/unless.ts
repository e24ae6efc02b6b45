import { spawnSync } from 'node:child_process';
import type { TestOptions } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** Why a test was skipped, for the report. */
    skipReason?: string;
  }
}

/**
 * Options that skip a test or a group for this reason, if there is one. The report lists the reason.
 *
 *     it('keeps the owner of a file', unless(notRoot), () => …)
 */
export function unless(reason: string | undefined): TestOptions {
  return reason === undefined ? {} : { skip: true, meta: { skipReason: reason } };
}

/**
 * Options that skip a test of something that Windows lacks: file modes, signals, process groups.
 *
 *     it('is for its owner alone to see', skipOnWindows('Windows has no file modes'), () => …)
 */
export function skipOnWindows(reason: string): TestOptions {
  return unless(because(process.platform === 'win32', reason));
}

export const notLinux: string | undefined = because(process.platform !== 'linux', 'needs Linux');
export const notRoot: string | undefined = because(process.getuid?.() !== 0, 'runs only as root');
export const asRoot: string | undefined = because(process.getuid?.() === 0, 'needs a user other than root');

/** A skip reason if a program is not installed or does not run. */
export function without(program: string): string | undefined {
  const { status } = spawnSync(program, ['--version'], { stdio: 'ignore' });
  return because(status !== 0, `needs the program ${program}`);
}

function because(applies: boolean, reason: string): string | undefined {
  return applies ? reason : undefined;
}
