// Which tests a change needs. Vitest finds the tests that import a changed file; tests that run the built program import
// none of it, so this table names their folders.
const SESSIONS = ['test/transparency', 'test/http', 'test/bridge', 'test/never-lose'];

/** Tests of the built program, by the folder whose code they run. Every folder of src/ has a row. */
export const BUILT_PROGRAM_TESTS = {
  'src/model': [],
  'src/json': [],
  'src/protocol': ['test/transparency', 'test/http', 'test/bridge'],
  'src/analysis': ['test/cli', 'test/findings'],
  'src/formats': ['test/cli'],
  'src/redact': ['test/cli', 'test/security'],
  'src/state': ['test/cli', 'test/security', 'test/never-lose'],
  'src/transport': SESSIONS,
  'src/proxy': [...SESSIONS, 'test/intercept'],
  'src/record': ['test/cli', 'test/never-lose'],
  'src/live': ['test/intercept', 'test/tui', 'test/view'],
  'src/capture': [...SESSIONS, 'test/intercept'],
  'src/replay': ['test/replay', 'test/mock'],
  'src/install': ['test/cli'],
  'src/library': ['test/library'],
  'src/server': ['test/view', 'test/web'],
  'src/tui': ['test/tui'],
  'src/cli': ['test/cli', 'test/transparency'],
  web: ['test/web'],
  docs: ['test/docs.test.ts', 'test/cli', 'test/library', 'test/security'],
  'README.md': ['test/docs.test.ts'],
};

/** Files that any test may depend on without importing them. */
const EVERYTHING =
  /^(package(-lock)?\.json|vite(st)?\.[\w.]*config\.ts|tsconfig.*\.json|scripts\/ready\.mjs|test\/(servers|corpus)\/.*)$/;

/**
 * The paths that a test run is to be given for these changed files: the files themselves, for tests that import them, and
 * the folders of tests that run them built. Undefined if the change can affect every test.
 *
 */
export function testsFor(changed) {
  if (changed.some((file) => EVERYTHING.test(file))) return undefined;
  const rows = Object.entries(BUILT_PROGRAM_TESTS);
  const folders = changed
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => [
      ...rows.filter(([place]) => file === place || file.startsWith(`${place}/`)).flatMap(([, tests]) => tests),
      // A server, a page or another helper that stands beside the tests that use it.
      ...(/^test\/\w[\w-]*\//.exec(file)?.map((folder) => folder.slice(0, -1)) ?? []),
    ]);
  return { files: changed.filter((file) => /\.[mc]?[jt]sx?$/.test(file)), folders: [...new Set(folders)].sort() };
}
