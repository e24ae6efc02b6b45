// Runs the jobs that take too long for `npm test`, in sequence:
//
//   npm run test:long                          all jobs
//   npm run test:long -- --list                list the jobs
//   npm run test:long -- --only screens,load   only these jobs
//   npm run test:long -- --resume              skip jobs that passed with the current sources and tests
//   npm run test:long -- --full                include the torture job's soak of half an hour
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runJobs } from './job-runner.mjs';
import { root, tool } from './run.mjs';

const vitest = [...tool('vitest/vitest.mjs'), 'run'];
/** Runs every case, with timeouts for a busy machine. */
const long = { MCPREEL_TEST_LONG: '1' };
const tests = (...places) => [...vitest, '--testTimeout', '300000', ...places];
const http = filesIn('test/http').filter((name) => name.endsWith('.test.ts') && !name.endsWith('/load.test.ts'));
const torture = [process.execPath, 'test/torture/run.mjs'];

const JOBS = [
  {
    name: 'properties',
    command: [process.execPath, 'scripts/fuzz.mjs', '--target', 'properties'],
    covers: 'each property of the unit tests with 1000 new inputs instead of the same 50',
  },
  {
    name: 'fuzz',
    command: [process.execPath, 'scripts/fuzz.mjs', '--no-properties', '--seconds', '30'],
    covers: 'each fuzzer for 30 s',
  },
  {
    name: 'attack',
    command: [process.execPath, 'scripts/attack.mjs'],
    covers: 'every attack of docs/threat-model.md with all cases, and 300 new inputs for each property',
  },
  {
    name: 'formats',
    command: tests('src/formats', 'src/redact', 'src/analysis'),
    env: long,
    covers: 'files of every format cut off at every byte, messages of 8 MB, 100 MB in constant memory',
  },
  {
    name: 'page',
    command: tests('test/web'),
    env: long,
    covers: 'the page in a browser: every accessibility rule in both themes, a load for each hostile payload',
  },
  {
    name: 'screens',
    command: tests('test/tui'),
    env: long,
    covers: 'the whole screen contract on every wire, hostile payloads at every size',
  },
  {
    name: 'intercept',
    command: tests('test/intercept'),
    env: long,
    covers: 'the whole interception contract on every wire',
  },
  {
    name: 'peers',
    command: tests('test/replay', 'test/mock', 'test/findings', 'test/bridge', 'test/library', ...http),
    env: long,
    covers: 'real clients and servers: every SDK with every server over every transport, and mocks of them',
  },
  {
    name: 'conformance',
    command: tests('test/conformance'),
    env: long,
    covers: 'every scenario of the official suite, directly and through mcpreel',
  },
  {
    name: 'load',
    command: tests('test/http/load', 'test/transparency'),
    env: long,
    covers: '10,000 exchanges, 200 streams at a time, lines of 64 MB, with memory watched',
  },
  {
    name: 'compat',
    command: [process.execPath, 'scripts/compat.mjs'],
    covers: 'every package manager, supported Node and other runtime',
  },
  {
    name: 'torture',
    command: [...torture, '--quick'],
    full: torture,
    covers: 'kills, bad disks and peers on a small scale; with --full on a large one and with a soak',
  },
];

/** A hash of everything that a result depends on: sources, tests and their configuration. */
function fingerprint() {
  const hash = createHash('sha256').update(process.version);
  const folders = ['src', 'web', 'test', 'scripts', 'docs', 'bench'];
  const files = folders.flatMap((folder) => filesIn(folder));
  const own = readdirSync(root).filter((name) => /\.(ts|json|md)$/.test(name));
  for (const name of [...files, ...own.toSorted()]) {
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(root, name)))
      .update('\0');
  }
  return hash.digest('hex');
}

function filesIn(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const name = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesIn(name);
      return entry.isFile() ? [name] : [];
    });
}

process.exitCode = await runJobs(JOBS, process.argv.slice(2), {
  folder: join(root, 'node_modules/.cache/test-long'),
  fingerprint,
  cwd: root,
});
