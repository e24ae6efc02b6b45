import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
// biome-ignore lint/correctness/useImportExtensions: its declarations are in it
import { BUILT_PROGRAM_TESTS, testsFor } from '../../scripts/changed-tests.mjs';

const root = join(import.meta.dirname, '../..');

describe('the tests of a change', () => {
  it('are those that import the changed file, and those that run it in the built program', () => {
    expect(testsFor(['src/tui/app.tsx'])).toEqual({ files: ['src/tui/app.tsx'], folders: ['test/tui'] });
    expect(testsFor(['web/shell/keys.ts'])).toEqual({ files: ['web/shell/keys.ts'], folders: ['test/web'] });
  });

  it('are the changed test alone where nothing else changed', () => {
    expect(testsFor(['src/tui/app.test.ts'])).toEqual({ files: ['src/tui/app.test.ts'], folders: [] });
    expect(testsFor(['test/tui/stdio.test.ts'])).toEqual({ files: ['test/tui/stdio.test.ts'], folders: [] });
  });

  it('are those beside a helper that changed', () => {
    expect(testsFor(['test/tui/changing-server.mjs'])?.folders).toEqual(['test/tui']);
  });

  it('are all of them where any test may depend on the file', () => {
    for (const file of ['package.json', 'vite.config.ts', 'vitest.config.ts', 'test/servers/echo.mjs']) {
      expect(testsFor([file])).toBeUndefined();
    }
  });

  it('are those of the docs where only prose changed', () => {
    expect(testsFor(['README.md'])).toEqual({ files: [], folders: ['test/docs.test.ts'] });
  });

  it('are known for every folder of sources', () => {
    const folders = readdirSync(join(root, 'src')).filter((name) => statSync(join(root, 'src', name)).isDirectory());
    const rows = Object.keys(BUILT_PROGRAM_TESTS).filter((place) => place.startsWith('src/'));
    expect(rows.sort()).toEqual(folders.map((name) => `src/${name}`).sort());
    for (const test of Object.values(BUILT_PROGRAM_TESTS).flat()) expect(existsSync(join(root, test)), test).toBe(true);
  });
});
