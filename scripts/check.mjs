// Runs every check that must pass before a change is merged. A step's output is shown only if the step fails.
//
//   npm test                     all checks
//   npm test -- pairing          only the test files whose path contains this
//   npm test -- pairing -t id    of these files, only the tests whose name matches
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { durationText } from './duration-text.mjs';
import { installPeers } from './peers.mjs';
import { readyOrExit } from './ready.mjs';
import { root, run, tool } from './run.mjs';

const biome = tool('@biomejs/biome/bin/biome');
const oxlint = tool('oxlint/bin/oxlint');

const beside = [
  // In sequence: two compilers at once slow each other down.
  [
    'types',
    () =>
      all(
        tool('typescript/bin/tsc'),
        ...['web', 'test/web'].map((part) => [...tool('typescript/bin/tsc'), '-p', part]),
      ),
  ],
  ['lint', () => all([...biome, 'ci', '--colors=off'], [...oxlint, '--type-aware'])],
  ['boundaries', () => all([process.execPath, 'scripts/boundaries.mjs'])],
  ['wording', () => all([process.execPath, 'scripts/plain-words.mjs'])],
  ['unused', () => all([...tool('knip/bin/knip.js'), '--no-config-hints'])],
];
// These steps start processes, measure time and print while they run, so each runs alone.
const alone = [
  [
    'test',
    // One line for each of 400 passing files would hide a failing one.
    () =>
      run([...tool('vitest/vitest.mjs'), 'run', '--reporter=dot', '--reporter=./scripts/test-report.mjs'], {
        show: true,
      }),
  ],
  ['package', () => all([...tool('publint/src/cli.js'), '--strict'], [process.execPath, 'scripts/packed-smoke.mjs'])],
];

// Not in a script named pretest, which npm skips with ignore-scripts, and Yarn always.
await readyOrExit();

const chosen = process.argv.slice(2);
if (chosen.length > 0) {
  const unknown = chosen
    .filter((name, at) => !name.startsWith('-') && !chosen[at - 1]?.startsWith('-'))
    .find((name) => !isTestFile(name));
  if (unknown !== undefined) {
    console.error(unknown === '' ? 'The name of a test file is empty.' : `No test file has "${unknown}" in its path.`);
    process.exit(1);
  }
  const { failure } = await run([...tool('vitest/vitest.mjs'), 'run', ...chosen], { show: true });
  process.exit(failure === undefined ? 0 : 1);
}

// Most of the packages that only tests need. If this fails, a test that needs one reports why it is missing.
await installPeers().catch(() => undefined);

const started = performance.now();
const outcomes = new Map();
await Promise.all([worker(), worker()]);
for (const [name, work] of alone) await perform(name, work);

const failed = [...outcomes.values()].filter((passed) => !passed).length;
console.log(
  `time   ${durationText(performance.now() - started)} after install and build (the budget is 8 min on two cores)`,
);
console.log(`check: ${outcomes.size - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

async function worker() {
  for (let next = beside.shift(); next; next = beside.shift()) await perform(...next);
}

async function perform(name, work) {
  const start = performance.now();
  const { failure, output = '' } = await work();
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  outcomes.set(name, failure === undefined);
  if (failure !== undefined && output.trim() !== '') console.log(output.trimEnd());
  console.log(
    `${failure === undefined ? 'ok    ' : 'FAILED'} ${name.padEnd(10)} ${seconds} s${failure ? `  ${failure}` : ''}`,
  );
}

/** Whether a test file has this part in its path, relative or absolute. */
function isTestFile(part) {
  const wanted = part.replaceAll('\\', '/').replace(/^\.\//, '');
  return wanted !== '' && testFiles().some((file) => file.includes(wanted));
}

function testFiles() {
  return ['src', 'test', 'web'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules'))
      .map((name) => join(root, folder, name).replaceAll('\\', '/')),
  );
}

/** Runs commands in sequence until one fails. */
async function all(...commands) {
  for (const command of commands) {
    const result = await run(command);
    if (result.failure !== undefined) return result;
  }
  return {};
}
