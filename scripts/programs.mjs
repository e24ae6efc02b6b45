// Finds the programs that some tests need, and installs missing ones from Debian packages where possible.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from './run.mjs';

/** Each program with the names of its executable and the tests that are skipped without it. */
const PROGRAMS = {
  chromium: {
    names: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
    elsewhere: ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'],
    variable: 'CHROME_PATH',
    without: 'the browser tests (or set CHROME_PATH)',
  },
  zsh: { names: ['zsh'], without: 'the completion tests in zsh' },
  fish: { names: ['fish'], without: 'the completion tests in fish' },
  age: { names: ['age'], without: 'the tests against the program age' },
};
/** A slow mirror must not block the tests forever. */
const MAX_INSTALL_MS = 300_000;
/** Without a network, apt-get would try every mirror several times. */
const IMPATIENT = ['-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=10', '-o', 'Acquire::https::Timeout=10'];
/** Vitest loads this file once per project, and one `apt-get update` is enough for all of them. */
const UPDATED = Symbol.for('mcpreel.apt-get-update');

/**
 * The path of each of these programs, or undefined if it cannot be installed. Prints what it installs and, on failure,
 * which tests are skipped.
 */
export async function findPrograms(names) {
  const missing = names.filter((name) => pathOf(name) === undefined);
  const failure = missing.length > 0 ? await install(missing) : undefined;
  if (failure !== undefined) {
    say(`${failure}. Left out: ${missing.map((name) => PROGRAMS[name].without).join(', ')}`);
  }
  return Object.fromEntries(names.map((name) => [name, pathOf(name)]));
}

function pathOf(program) {
  const { names, elsewhere = [], variable = '' } = PROGRAMS[program];
  if (process.env[variable]) return process.env[variable];
  const folders = (process.env.PATH ?? '').split(delimiter);
  return [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...elsewhere].find((path) =>
    existsSync(path),
  );
}

/** Returns the reason if the installation failed. */
async function install(missing) {
  const list = missing.join(', ');
  if (process.platform !== 'linux' || spawnSync('apt-get', ['--version']).error) return `not installed: ${list}`;
  globalThis[UPDATED] ??= aptGet('update');
  const outdated = await globalThis[UPDATED];
  if (outdated !== undefined) return `cannot install ${list}: ${outdated}`;
  say(`installing ${list} (apt-get install)`);
  const failure = await aptGet('install', '-y', '--no-install-recommends', ...missing);
  return failure && `cannot install ${list}: ${failure}`;
}

/** Returns the reason if the command failed. */
async function aptGet(...args) {
  const asRoot = process.getuid() === 0 ? [] : ['sudo', '-n'];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { failure } = await run([...asRoot, 'apt-get', ...IMPATIENT, ...args], { env, timeoutMs: MAX_INSTALL_MS });
  return failure && `apt-get ${args[0]} failed (${failure})`;
}

const say = (text) => process.stderr.write(`programs: ${text}\n`);
