// Makes a checkout usable: installs the locked packages and builds dist, each only when it is out of date. It runs
// before anything is installed, so it needs nothing but Node.
import { createHash } from 'node:crypto';
import {
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { durationText } from './duration-text.mjs';
import { countInstalled, holdsWhatIsLocked } from './installed-packages.mjs';
import { takeLock } from './lock.mjs';
import { npm, npmEnvironment, root, run, tool } from './run.mjs';
import { showProgress } from './step-progress.mjs';

const dist = join(root, 'dist');
const stamp = join(dist, '.stamp');
const lock = join(root, '.ready.lock');
/** The user's configuration of npm may leave some of them out. The compilers are optional dependencies. */
const KINDS = ['--include=dev', '--include=optional', '--include=peer'];
const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Installs and builds what is missing or out of date. Throws an error whose message names the step that failed. */
export async function ready({ rebuild = false } = {}) {
  checkNode();
  if (!rebuild && holdsWhatIsLocked(root) && built()) return;
  const release = await takeLock(lock);
  const stopListening = endStepsOnSignals();
  try {
    // The previous holder of the lock may have installed them.
    if (!holdsWhatIsLocked(root)) await install();
    if (rebuild || !built()) await build();
  } finally {
    stopListening();
    release();
    exitIfInterrupted();
  }
}

/** Like `ready`, for a script that cannot do without it: prints what failed, and exits. */
export async function readyOrExit(options) {
  try {
    await ready(options);
  } catch (error) {
    say(error.message);
    process.exit(1);
  }
}

/** The last step that was started, with its process, and the signal that interrupted it. */
let latest;
let interruption;

/**
 * Ends the current step on Ctrl-C and other signals, and keeps the lock until it is gone: npm continues to install for
 * seconds after a SIGINT, and would interfere with the next run.
 */
function endStepsOnSignals() {
  const end = (signal) => {
    interruption = signal;
    latest?.child.kill('SIGKILL');
  };
  for (const signal of ENDING_SIGNALS) process.on(signal, end);
  return () => {
    for (const signal of ENDING_SIGNALS) process.off(signal, end);
  };
}

/** Vitest calls this before the first test. */
export const setup = () => ready();

function checkNode() {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const wanted = engines.node.replace('>=', '');
  const [major, minor] = wanted.split('.').map(Number);
  const [ownMajor, ownMinor] = process.versions.node.split('.').map(Number);
  if (ownMajor < major || (ownMajor === major && ownMinor < minor)) {
    throw new Error(`Node ${wanted} or newer is needed, this is ${process.versions.node}`);
  }
}

async function install() {
  const { total } = countInstalled(root);
  say(`installing ${total} packages (npm ci)`);
  const started = performance.now();
  const progress = showProgress(() => `installing packages: ${countInstalled(root).installed} of ${total}`);
  try {
    await step('npm ci', [...npm(), 'ci', ...KINDS, '--no-audit', '--no-fund'], npmEnvironment());
  } finally {
    progress.close();
  }
  say(`installed packages in ${secondsSince(started)}`);
}

/** Whether dist was built from the current sources. */
function built() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint();
}

/** Builds next to dist and then swaps the folders, so that a half-finished build never runs. */
async function build() {
  say('building dist');
  const started = performance.now();
  removeLeftovers();
  const before = fingerprint();
  const fresh = join(root, `.dist-${process.pid}`);
  let current = '';
  const progress = showProgress(() => `building dist: ${current}`);
  const part = (name, command) => {
    current = name;
    return step(name, command, environment);
  };
  // A build that the test runner starts must equal the one that users get.
  const { VITEST: _, ...environment } = { ...process.env, NODE_ENV: 'production' };
  try {
    const vite = [...tool('vite/bin/vite.js'), 'build', '--outDir', fresh, '--logLevel', 'warn'];
    await part('vite build', vite);
    await part('vite build of the launcher', [...vite, '--config', 'vite.launch.config.ts']);
    const page = [...vite.slice(0, -4), '--outDir', join(fresh, 'web'), '--logLevel', 'warn'];
    await part('vite build of the page', [...page, '--config', 'vite.web.config.ts']);
    await part('vite build of the page as one file', [...page, '--config', 'vite.single.config.ts']);
    await part('tsc', [...tool('typescript/bin/tsc'), '-p', 'tsconfig.types.json', '--outDir', join(fresh, 'types')]);
    writeFileSync(join(fresh, '.stamp'), before);
    if (existsSync(dist)) renameSync(dist, `${fresh}-old`);
    renameSync(fresh, dist);
  } finally {
    progress.close();
    removeLeftovers();
  }
  say(`built dist in ${secondsSince(started)}`);
}

function removeLeftovers() {
  for (const name of readdirSync(root)) {
    if (name.startsWith('.dist-')) rmSync(join(root, name), { recursive: true, force: true });
  }
}

/** A hash of everything that the build reads. */
function fingerprint() {
  const hash = createHash('sha256');
  const configuration = [
    'vite.config.ts',
    'vite.launch.config.ts',
    'vite.web.config.ts',
    'vite.single.config.ts',
    'tsconfig.json',
    'tsconfig.types.json',
    'package.json',
    'package-lock.json',
  ];
  for (const file of ['src', 'web', 'scripts/ready.mjs', ...configuration].flatMap(filesOf).sort()) {
    hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

function filesOf(path) {
  const entry = statSync(join(root, path), { throwIfNoEntry: false });
  if (!entry || path.endsWith('.test.ts')) return [];
  if (!entry.isDirectory()) return [path];
  return readdirSync(join(root, path)).flatMap((name) => filesOf(`${path}/${name}`));
}

/** Whatever called `ready`, a script or the test runner, it must not continue after Ctrl-C. */
function exitIfInterrupted() {
  if (interruption === undefined) return;
  say(`${latest?.name ?? 'It'} was interrupted. Run the command again to continue.`);
  process.exit(128 + constants.signals[interruption]);
}

async function step(name, command, env) {
  const { failure, output } = await run(command, {
    env,
    onStart(child) {
      latest = { name, child };
      // The signal came between two steps.
      if (interruption !== undefined) child.kill('SIGKILL');
    },
  });
  if (failure === undefined) return;
  // Ctrl-C on a terminal also reaches the step, whose end may be seen first.
  interruption ??= ENDING_SIGNALS.find((signal) => failure === `exit ${signal}`);
  if (interruption === undefined) process.stderr.write(output);
  throw new Error(`${name} failed (${failure})`);
}

const secondsSince = (started) => durationText(performance.now() - started);
const say = (text) => process.stderr.write(`ready: ${text}\n`);

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await readyOrExit({ rebuild: process.argv.includes('--build') });
}
