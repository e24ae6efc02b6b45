// Checks a fresh clone of the repository: runs npm start with an empty HOME, then the command that it prints.
import { strict as assert } from 'node:assert';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { succeed, tryDemo } from './packed-package.mjs';
import { root } from './run.mjs';

/** Time to install without a cache, and to build, on a slow machine. */
const MAX_START_MS = 600_000;

/**
 * Clones the last commit of this checkout into a folder and runs the commands of the README there. The environment has
 * only PATH and an empty HOME, so npm has neither a cache nor a configuration.
 */
export async function tryClone(folder) {
  const clone = join(folder, 'clone');
  const home = join(folder, 'home');
  mkdirSync(home);
  await succeed(['git', 'clone', '--quiet', root, clone]);
  const here = { cwd: clone, env: { HOME: home, PATH: process.env.PATH }, timeoutMs: MAX_START_MS };
  // `npm start` without arguments runs the demo, and so does `npm start -- demo`. Run both.
  await succeed(['npm', 'start'], here);
  assert.match(await tryDemo(['npm', 'start', '--'], here), /^npm start -- inspect /);
  const changed = await succeed(['git', 'status', '--porcelain'], here);
  assert.equal(changed, '', 'npm start must leave the clone as it is');
}
