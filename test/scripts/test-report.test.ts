import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { Place } from '../support/place.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const CONFIG = `export default {
  test: { projects: ['fast', 'slow'].map((name) => ({ test: { name, include: [\`\${name}/*.test.js\`] } })) },
};`;

/** Runs the tests in these files, one project per folder, with the report as the only reporter. */
function reportOf(files: Readonly<Record<string, string>>): string {
  const place = new Place();
  place.write('vitest.config.mjs', CONFIG);
  place.write('package.json', '{"type":"module"}');
  for (const [name, text] of Object.entries(files)) {
    place.write(name, `import { describe, it, expect } from 'vitest';\n${text}`);
  }
  symlinkSync(`${root}/node_modules`, place.path('node_modules'), 'junction');
  const args = ['run', `--reporter=${root}/scripts/test-report.mjs`];
  // With Vitest's variables, the inner run would join the outer one.
  const env = { PATH: process.env.PATH ?? '' };
  const { stdout } = spawnSync(process.execPath, [`${root}/node_modules/vitest/vitest.mjs`, ...args], {
    ...{ cwd: place.folder, env, encoding: 'utf8' },
  });
  return stdout.replaceAll(/ +\d+\.\d s/g, '  N s');
}

it('a run ends with the time by project, the slowest files, and the skipped tests by their reasons', () => {
  const report = reportOf({
    'fast/a.test.js': `
      describe('a group', { skip: true, meta: { skipReason: 'needs Linux' } }, () => {
        it('is skipped with its group', () => {});
      });
      it('passes', () => {});
      it('is skipped too', { skip: true, meta: { skipReason: 'needs Linux' } }, () => {});`,
    'slow/b.test.js': `
      it('takes longer', () => new Promise((resolve) => setTimeout(resolve, 100)));
      it('skips itself', ({ skip }) => skip('no disk'));
      it.skip('is just skipped', () => {});`,
  });
  expect(report).toBe(`
Time by project
  N s  fast: 3 tests in 1 file
  N s  slow: 3 tests in 1 file

Slowest files
  N s  slow/b.test.js
  N s  fast/a.test.js

Skipped: 4 tests
  needs Linux: 2 tests
    fast/a.test.js > a group > is skipped with its group
    fast/a.test.js > is skipped too
  no disk: 1 test
    slow/b.test.js > skips itself
  no reason given: 1 test
    slow/b.test.js > is just skipped
`);
});

it('a run without skipped tests does not mention skipping', () => {
  const report = reportOf({ 'fast/a.test.js': `it('passes', () => {});` });
  expect(report).toContain('1 test in 1 file');
  expect(report).not.toContain('Skipped');
});
