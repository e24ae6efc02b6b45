import type { ChildProcess, SpawnOptions } from 'node:child_process';
import crossSpawn from 'cross-spawn';

/** Starts a program on Windows, where most commands are scripts (`npx.cmd`) that the system cannot start directly. */
export function spawnOnWindows(program: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  return crossSpawn(program, [...args], options);
}
