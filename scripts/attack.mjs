// Attacks the built program from every position in docs/threat-model.md: runs test/security and every test that the page
// names, with all cases and with new inputs for properties. `npm test` runs the same tests with a sample of the cases.
//
//   npm run attack                     everything
//   npm run attack -- floods schemas   only test files whose path contains one of these
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, tool } from './run.mjs';

const PROPERTY_RUNS = '300';
const chosen = process.argv.slice(2);
const files = ['test/security/', ...namedTests()];
const selected = chosen.length === 0 ? files : chosen;
const [program, ...args] = [...tool('vitest/vitest.mjs'), 'run', '--testTimeout', '300000', ...selected];
const env = { ...process.env, MCPREEL_TEST_LONG: '1', MCPREEL_PROPERTY_RUNS: PROPERTY_RUNS };
const { status } = spawnSync(program, args, { cwd: root, stdio: 'inherit', env });
process.exitCode = status ?? 1;

/** The test files outside test/security that the threat model names. */
function namedTests() {
  const page = readFileSync(join(root, 'docs/threat-model.md'), 'utf8');
  const names = [...page.matchAll(/`([\w/-]+)`/g)].map(
    ([, name]) => `${name.startsWith('src/') ? '' : 'test/'}${name}.test.ts`,
  );
  return [...new Set(names)].filter((path) => !path.startsWith('test/security/') && existsSync(join(root, path)));
}
