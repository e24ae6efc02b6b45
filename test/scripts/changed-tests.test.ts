import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
// biome-ignore lint/correctness/useImportExtensions: its declarations are in it
import { BUILT_PROGRAM_TESTS, testsFor } from '../../scripts/changed-tests.mjs';

const root = join(import.meta.dirname, '../..');

describe('testsFor', () => {
  it('selects tests that import the changed file, and tests that run it in the built program', () => {
    expect(testsFor(['src/tui/app.tsx'])).toEqual({ files: ['src/tui/app.tsx'], folders: ['test/tui'] });
    expect(testsFor(['web/shell/keys.ts'])).toEqual({ files: ['web/shell/keys.ts'], folders: ['test/web'] });
  });

  it('selects only the changed test if nothing else changed', () => {
    expect(testsFor(['src/tui/app.test.ts'])).toEqual({ files: ['src/tui/app.test.ts'], folders: [] });
    expect(testsFor(['test/tui/stdio.test.ts'])).toEqual({ files: ['test/tui/stdio.test.ts'], folders: [] });
  });

  it('selects all tests if imports do not show which ones are affected', () => {
    const files = ['package.json', 'vite.config.ts', 'vitest.config.ts', 'scripts/ready.mjs', '.ci/run'];
    const started = ['test/servers/echo.mjs', 'test/tui/changing-server.mjs', 'test/corpus/golden/x.json'];
    for (const file of [...files, ...started]) expect(testsFor([file]), file).toBeUndefined();
  });

  it('selects all tests if a removed file may still be needed', () => {
    for (const file of ['src/model/entry.ts', 'test/support/place.ts', 'test/servers/echo.mjs', 'scripts/run.mjs']) {
      expect(testsFor([], [file]), file).toBeUndefined();
    }
    expect(testsFor([], ['docs/proof.md'])?.folders).toContain('test/docs.test.ts');
    expect(testsFor([], ['src/tui/app.test.ts'])).toEqual({ files: [], folders: [] });
  });

  it('selects the library tests for an entry point of the library', () => {
    expect(testsFor(['src/vitest.ts'])).toEqual({ files: ['src/vitest.ts'], folders: ['test/library'] });
  });

  it('selects the docs tests if only prose changed', () => {
    expect(testsFor(['README.md'])).toEqual({ files: [], folders: ['test/docs.test.ts'] });
  });

  it('has an entry for every source folder', () => {
    const folders = readdirSync(join(root, 'src')).filter((name) => statSync(join(root, 'src', name)).isDirectory());
    const rows = Object.keys(BUILT_PROGRAM_TESTS).filter((place) => /^src\/\w+$/.test(place));
    expect(rows.sort()).toEqual(folders.map((name) => `src/${name}`).sort());
    for (const test of Object.values(BUILT_PROGRAM_TESTS).flat()) expect(existsSync(join(root, test)), test).toBe(true);
  });
});
