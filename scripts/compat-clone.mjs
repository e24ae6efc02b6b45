// Checks a fresh clone of the repository: runs npm start with an empty HOME, then the command that it prints.
import { strict as assert } from 'node:assert';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { succeed, tryDemo } from './packed-package.mjs';
import { root } from './run.mjs';

/** Time to install without a cache, and to build, on a slow machine. */
const MAX_START_MS = 600_000;

/**
 * Clones the last commit of this checkout into a folder and runs the commands of the README there. The environment has
 * only PATH and a HOME, empty except for this configuration of npm, so npm has no cache.
 */
export async function tryClone(folder, { name = 'clone', configuration } = {}) {
  const clone = join(folder, name);
  const home = join(folder, 'home');
  mkdirSync(home);
  if (configuration !== undefined) writeFileSync(join(home, '.npmrc'), configuration);
  await succeed(['git', 'clone', '--quiet', '--depth', '1', pathToFileURL(root).href, clone]);
  const here = { cwd: clone, env: { HOME: home, PATH: process.env.PATH }, timeoutMs: MAX_START_MS };
  // `npm start` without arguments runs the demo, and so does `npm start -- demo`. Run both.
  await succeed(['npm', 'start'], here);
  assert.match(await tryDemo(['npm', 'start', '--'], here), /^npm start -- inspect /);
  const changed = await succeed(['git', 'status', '--porcelain'], here);
  assert.equal(changed, '', 'npm start must leave the clone as it is');
}
