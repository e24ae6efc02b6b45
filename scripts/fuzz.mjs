// Fuzzes everything that reads foreign input, for as long as you choose:
//   npm run fuzz -- --target read-trace --seconds 600 --seed 7
//
// The target `properties` runs first, unless you name other targets or pass --no-properties. It runs the property tests
// of the unit tests with 1000 inputs each instead of the 50 of `npm test`. MCPREEL_PROPERTY_RUNS sets another number.
import { spawn } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'vite';
import { root, run, tool } from './run.mjs';

const PROPERTY_RUNS = '1000';
const { fuzzers, hasProperties } = selectionFrom(process.argv.slice(2));
const haveFailed = hasProperties && (await tryProperties()) !== undefined;
if (haveFailed) process.exitCode = 1;
if (fuzzers === undefined) process.exit();

// Inside node_modules, because the fuzzers import some packages by name.
const packages = join(root, 'node_modules');
const built = join(packages, `.fuzz-${process.pid}`);
removeLeftovers();

// Compiled once: compiling while the fuzzers run would cut the number of inputs they try to a fraction.
await build({
  configFile: false,
  root,
  logLevel: 'warn',
  define: { __MCPREEL_VERSION__: '"0.0.0"' },
  plugins: [{ name: 'own-places', enforce: 'pre', transform: namePlace }],
  build: {
    ssr: true,
    target: 'node20.19',
    minify: false,
    outDir: built,
    rolldownOptions: { input: { run: join(root, 'test/fuzz/run.ts') }, output: { entryFileNames: '[name].js' } },
  },
});
const child = spawn(process.execPath, [join(built, 'run.js'), ...fuzzers], { stdio: 'inherit' });
child.once('close', (code) => {
  rmSync(built, { recursive: true, force: true });
  process.exitCode = code === 0 && haveFailed ? 1 : (code ?? 1);
});

/**
 * The arguments for the fuzzers, undefined if none is to run, and whether to run the properties. The fuzzers report
 * invalid arguments.
 */
function selectionFrom(args) {
  const options = {
    target: { type: 'string', multiple: true, default: [] },
    seconds: { type: 'string' },
    seed: { type: 'string' },
    'no-properties': { type: 'boolean', default: false },
  };
  const { values, positionals } = parseArgs({ args, options, strict: false });
  const { target, 'no-properties': isWithout, ...rest } = values;
  const others = target.filter((name) => name !== 'properties');
  const isNamed = others.length < target.length;
  const flags = Object.entries(rest).map(([name, value]) => (value === true ? `--${name}` : `--${name}=${value}`));
  return {
    fuzzers:
      isNamed && others.length === 0
        ? undefined
        : [...others.map((name) => `--target=${name}`), ...flags, ...positionals],
    hasProperties: isNamed || (others.length === 0 && !isWithout),
  };
}

/** Resolves with the reason if a property fails. */
async function tryProperties() {
  const projects = ['--project', 'pure', '--project', 'unit', '--testTimeout', '600000'];
  const env = { MCPREEL_PROPERTY_RUNS: PROPERTY_RUNS, ...process.env };
  const { failure } = await run([...tool('vitest/vitest.mjs'), 'run', ...projects], { env, show: true });
  return failure;
}

/** Replaces import.meta.url by the source's own URL, because the bundle moves all sources into one file. */
function namePlace(code, id) {
  if (!id.startsWith(join(root, 'test')) || !code.includes('import.meta.url')) return undefined;
  return code.replaceAll(/(?<=new URL\([^()]*)import\.meta\.url/g, JSON.stringify(pathToFileURL(id).href));
}

/** Removes the builds of runs that were killed. */
function removeLeftovers() {
  for (const name of readdirSync(packages)) {
    const [, owner] = /^\.fuzz-(\d+)$/.exec(name) ?? [];
    if (owner !== undefined && !isRunning(Number(owner)))
      rmSync(join(packages, name), { recursive: true, force: true });
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
