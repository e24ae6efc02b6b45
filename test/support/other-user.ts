import { type SpawnSyncReturns, spawnSync } from 'node:child_process';

/** The user and group that own nothing. */
export const NOBODY = 65534;

/** Runs a program as another user of this machine, to its end. Only root can. */
export function asNobody(program: string, args: readonly string[]): SpawnSyncReturns<string> {
  return spawnSync(program, [...args], { uid: NOBODY, gid: NOBODY, encoding: 'utf8' });
}
