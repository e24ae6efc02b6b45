// Runs the tests of changed files: `npm run test:changed` since the last commit, `npm run test:changed -- <commit>`
// since that commit.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { testsFor } from './changed-tests.mjs';
import { root, run, tool } from './run.mjs';

const [since = 'HEAD', ...rest] = process.argv.slice(2);
if (since === '--help') {
  console.log('Usage: npm run test:changed [-- <commit>]');
  process.exit();
}
if (rest.length > 0 || since.startsWith('-')) fail('Usage: npm run test:changed [-- <commit>]', 2);

const names = await changedSince(since);
const isThere = (name) => existsSync(join(root, name));
const changed = names.filter(isThere);
const wanted = testsFor(
  changed,
  names.filter((name) => !isThere(name)),
);
const vitest = tool('vitest/vitest.mjs');
if (names.length === 0) {
  console.log(`test:changed: nothing changed since ${since}`);
} else if (wanted === undefined) {
  console.log(`test:changed: ${files(names.length)} changed since ${since}, which any test may depend on`);
  await judge([...vitest, 'run']);
} else {
  const built = wanted.folders.flatMap(testsIn);
  console.log(
    `test:changed: ${files(names.length)} changed since ${since}: the tests that import them` +
      (built.length > 0 ? `, and those in ${wanted.folders.join(', ')}` : ''),
  );
  await judge([...vitest, 'related', '--run', '--passWithNoTests', ...wanted.files, ...built]);
}

/** Uses NUL-separated names, because git quotes names that are not ASCII. A rename is a removed file and a new one. */
async function changedSince(commit) {
  const known = await git('diff', '--name-only', '--no-renames', '-z', commit, '--');
  if (known.failure !== undefined) fail(`Cannot compare with ${commit}: ${known.output.trim().split('\n')[0]}`, 2);
  const { stdout: untracked } = await git('ls-files', '--others', '--exclude-standard', '-z');
  return [...known.stdout.split('\0'), ...untracked.split('\0')].filter((name) => name !== '');
}

function git(...args) {
  return run(['git', ...args]);
}

function testsIn(path) {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path), { recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `${path}/${name.replaceAll('\\', '/')}`);
}

async function judge(command) {
  const { failure } = await run(command, { show: true });
  if (failure !== undefined) process.exitCode = 1;
}

function files(count) {
  return `${count} ${count === 1 ? 'file' : 'files'}`;
}

function fail(message, status) {
  console.error(`test:changed: ${message}`);
  process.exit(status);
}
