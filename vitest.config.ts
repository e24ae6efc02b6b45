import { availableParallelism } from 'node:os';
import type { ViteUserConfig } from 'vitest/config';
// biome-ignore lint/correctness/useImportExtensions: its declarations are beside it, not in it
import { pure } from './scripts/import-table.mjs';
import { define } from './vite.config.ts';

/** Tests of commands that are about a process: its signals, terminal, streams and start, a server that it wraps or a real client. */
const ABOUT_PROCESSES = [
  'built-program',
  'ci-docs',
  'demo',
  'hold',
  'install-for-real',
  'npm-start',
  'pipes',
  'progress',
  'real-clients',
  'real-servers',
  'recorded-secrets',
  'recording',
  'signals',
  'start-up',
  'unwritable-output',
  'wrapper',
];

/** Tests elsewhere that run commands in their own process, too. */
const OTHER_COMMANDS = [
  'findings/inspect',
  'replay/refusals',
  'replay/replay-command',
  'security/hostile-recordings',
  'view/html-files',
];

const shared = {
  // Tests start real processes and change the environment and working folder, which threads would share.
  pool: 'forks',
  // For hanging tests only: no test is to fail on a machine that is several times slower.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
  setupFiles: ['test/support/property-runs.ts', 'test/support/patient-waits.ts'],
} satisfies NonNullable<ViteUserConfig['test']>;

const config: ViteUserConfig = {
  test: {
    // Most tests wait for processes: two cores have time for three files at once.
    maxWorkers: availableParallelism() + 1,
    reporters: ['default', './scripts/test-report.mjs'],
    // Vitest takes the constants out of the object that it is given, so each project needs its own.
    projects: [
      {
        define: { ...define },
        test: {
          ...shared,
          name: 'pure',
          include: [`src/{${pure.join(',')}}/**/*.test.ts`, 'web/**/*.test.ts'],
          pool: 'threads',
          isolate: false,
        },
      },
      {
        define: { ...define },
        test: {
          ...shared,
          name: 'unit',
          include: ['src/**/*.test.ts'],
          isolate: false,
          exclude: [`src/{${pure.join(',')}}/**`],
          globalSetup: ['scripts/test-programs.mjs'],
        },
      },
      {
        define: { ...define },
        test: {
          ...shared,
          name: 'commands',
          include: ['test/cli/**/*.test.ts', `test/{${OTHER_COMMANDS.join(',')}}.test.ts`],
          exclude: [`test/cli/{${ABOUT_PROCESSES.join(',')}}.test.ts`],
          // The modules of all commands load once for each worker. Commands leave nothing behind: test/support/in-process.ts checks.
          isolate: false,
          // A few run the built command, and pages come from its folder.
          globalSetup: ['scripts/ready.mjs'],
        },
      },
      {
        define: { ...define },
        test: {
          ...shared,
          name: 'whole',
          // Processes and folders of a test end with the test, and the modules that start them keep no state.
          isolate: false,
          include: ['test/**/*.test.ts'],
          exclude: [
            'test/corpus/**',
            'test/peers/**',
            'test/web/**',
            'test/security/page/**',
            `test/cli/!(${ABOUT_PROCESSES.join('|')}).test.ts`,
            `test/{${OTHER_COMMANDS.join(',')}}.test.ts`,
          ],
          // These run the built command, which must be the one of these sources.
          globalSetup: ['scripts/ready.mjs', 'scripts/test-programs.mjs'],
        },
      },
      {
        define: { ...define },
        test: {
          ...shared,
          name: 'web',
          include: ['test/{web,security/page}/**/*.test.ts'],
          expect: { poll: { timeout: 30_000, interval: 25 } },
          globalSetup: ['scripts/ready.mjs', 'scripts/test-programs.mjs'],
          // Every page, process and folder of a test ends with the test, and the browser outlives the files.
          isolate: false,
        },
      },
    ],
  },
};

export default config;
