import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { MCPREEL } from './mcpreel-process.ts';
import type { Place } from './place.ts';

/** Runs a shell script in a place, with `mcpreel` on the PATH. */
export function runInShell(place: Place, script: string): { code: number | null; stdout: string; stderr: string } {
  place.write('bin/mcpreel', `#!/bin/sh\nexec "${process.execPath}" "${MCPREEL}" "$@"\n`);
  chmodSync(place.path('bin/mcpreel'), 0o755);
  const env = { ...place.environment(), PATH: `${place.path('bin')}:${process.env.PATH}` };
  const { status, stdout, stderr } = spawnSync('sh', ['-c', script], { cwd: place.folder, env, encoding: 'utf8' });
  return { code: status, stdout, stderr };
}
