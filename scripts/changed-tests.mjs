// Selects the tests that a change needs. Vitest finds the tests that import a changed file. Tests that run the built
// program import none of its sources, so this table names their folders.
const SESSIONS = ['test/transparency', 'test/http', 'test/bridge', 'test/never-lose'];

/**
 * Tests of the built program and the package, by the file or folder whose code they run. Each folder of src/ has a row.
 */
export const BUILT_PROGRAM_TESTS = {
  'src/index.ts': ['test/library'],
  'src/vitest.ts': ['test/library'],
  'src/version.d.ts': [],
  'src/model': [],
  'src/json': [],
  'src/protocol': ['test/transparency', 'test/http', 'test/bridge'],
  'src/analysis': ['test/cli', 'test/findings'],
  'src/formats': ['test/cli'],
  'src/redact': ['test/cli', 'test/security'],
  'src/present': ['test/cli', 'test/tui'],
  'src/files': ['test/cli', 'test/security', 'test/never-lose'],
  'src/state': ['test/cli', 'test/security', 'test/never-lose'],
  'src/transport': SESSIONS,
  'src/intercept': ['test/intercept'],
  'src/proxy': [...SESSIONS, 'test/intercept'],
  'src/record': ['test/cli', 'test/never-lose'],
  'src/catalog': ['test/cli'],
  'src/recovery': ['test/cli', 'test/never-lose'],
  'src/control': ['test/intercept', 'test/tui', 'test/view'],
  'src/capture': [...SESSIONS, 'test/intercept'],
  'src/recorded': ['test/replay', 'test/mock'],
  'src/replay': ['test/replay'],
  'src/mock': ['test/mock'],
  'src/install': ['test/cli'],
  'src/api': ['test/library'],
  'src/server': ['test/view', 'test/web'],
  'src/tui': ['test/tui'],
  'src/cli': [
    'test/cli',
    'test/docs.test.ts',
    'test/transparency',
    'test/replay',
    'test/mock',
    'test/view',
    'test/tui',
  ],
  web: ['test/web'],
  bench: ['test/bench', 'test/docs.test.ts'],
  docs: ['test/docs.test.ts', 'test/cli', 'test/library', 'test/security'],
  'README.md': ['test/docs.test.ts'],
  'CONTRIBUTING.md': ['test/docs.test.ts'],
  'ARCHITECTURE.md': ['test/docs.test.ts'],
  'SECURITY.md': ['test/docs.test.ts', 'test/security'],
  'CHANGELOG.md': ['test/docs.test.ts'],
  '.changeset': [],
  LICENSE: [],
};

/**
 * The paths to pass to the test run for these changed files: the files themselves, for tests that import them, and the
 * folders of tests that run the built program. Undefined if any test may depend on the change. That is the case for a
 * file without a row that tests do not import, and for a removed file, whose importers are unknown.
 */
export function testsFor(changed, removed = []) {
  if (removed.some((file) => !isTest(file) && rowsOf(file).length === 0)) return undefined;
  if (removed.some((file) => /^(src|web)\//.test(file) && !isTest(file))) return undefined;
  if (!changed.every((file) => isImported(file) || rowsOf(file).length > 0)) return undefined;
  const folders = [...changed, ...removed].filter((file) => !isTest(file)).flatMap((file) => rowsOf(file).flat());
  return { files: changed.filter((file) => isImported(file)), folders: [...new Set(folders)].sort() };
}

const isTest = (file) => file.endsWith('.test.ts');

/** Whether Vitest finds the tests of a file by their imports. Test programs (.mjs) are started, not imported. */
const isImported = (file) => /^(src|web|test)\/.*\.tsx?$/.test(file);

function rowsOf(file) {
  const rows = Object.entries(BUILT_PROGRAM_TESTS);
  return rows.filter(([place]) => file === place || file.startsWith(`${place}/`)).map(([, tests]) => tests);
}
