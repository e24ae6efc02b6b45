// Finds a Chromium for the browser tests, and installs Debian's where there is none and that is possible.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from './run.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
/** A machine without a network may wait for ever. */
const LONGEST_INSTALL_MS = 300_000;
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/** What Vitest calls before the first browser test: they learn where the browser is, or that there is none. */
export async function setup(project) {
  project.provide('chromium', (await chromium()) ?? '');
}

/** The path of a Chromium; without one it is said what is missing. */
export async function chromium() {
  const found = installed();
  if (found !== undefined) return found;
  const fault = await install();
  if (fault === undefined) return installed();
  say(`${fault}; the browser tests are left out. Install Chromium, or name it with CHROME_PATH.`);
  return undefined;
}

function installed() {
  if (process.env.CHROME_PATH) return process.env.CHROME_PATH;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const paths = [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), MAC];
  return paths.find((path) => existsSync(path));
}

/** Returns why it could not be installed. */
async function install() {
  if (process.platform !== 'linux' || spawnSync('apt-get', ['--version']).error) return 'there is no Chromium';
  const asRoot = process.getuid() === 0 ? [] : ['sudo', '-n'];
  say('installing Chromium (apt-get install chromium)');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const command of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
    const { failure } = await run([...asRoot, 'apt-get', ...command], { env, timeoutMs: LONGEST_INSTALL_MS });
    if (failure !== undefined) return `apt-get ${command[0]} failed (${failure})`;
  }
  return undefined;
}

const say = (text) => process.stderr.write(`chromium: ${text}\n`);
