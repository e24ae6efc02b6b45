// Installs the packed package in every common way and uses it: each package manager from a tarball and from a registry,
// each supported Node, other runtimes, and npm start in a fresh clone. It takes minutes, so `npm test` runs a short
// form (packed-smoke.mjs).
//
//   npm run compat                      everything
//   npm run compat -- --only node,npx   the rows whose name contains one of these
//   npm run compat -- --windows         Windows instead, under wine; fails if wine is not installed
//   npm run compat -- --windows --get-wine   the same, after installing wine 10 into a temporary folder
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { tryClone } from './compat-clone.mjs';
import { installedSize } from './installed-packages.mjs';
import { startRegistry } from './loopback-registry.mjs';
import {
  emptyProject,
  environmentOf,
  manifest,
  pack,
  programOf,
  succeed,
  tryCommand,
  tryLibrary,
} from './packed-package.mjs';
import { npm, root } from './run.mjs';
import { tryWindows } from './windows.mjs';

/** The versions that ship with Node 20, 22 and early 24, and the latest. */
const NPMS = ['10.8.2', '10.9.4', '11.4.2', 'latest'];
const NODES = ['20.19.0', '22', '24', '26'];

/** For tests that hang, on a slow machine. */
const MAX_TESTS_MS = 1_800_000;

const HELP = `Usage: npm run compat -- [options]
  --only NAME,…   the rows whose name contains one of these
  --windows       Windows instead, under wine; fails where there is none
  --get-wine      with --windows: install wine 10 into a temporary folder first`;

const { values } = chosenOptions();
const temporary = mkdtempSync(join(tmpdir(), 'mcpreel-compat-'));
const rows = [];
let number = 0;
/** By version; each is installed once. */
const nodes = new Map();

try {
  const { tarball, about } = await pack(temporary);
  console.log(`compat: ${about}`);
  if (values.windows) rows.push(...(await tryWindows(tarball, { getsWine: values['get-wine'], chosen: isChosen })));
  else await tryOnThisSystem(tarball);
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
console.log('');
for (const { name, seconds, result } of rows) console.log(`${result.padEnd(7)} ${seconds.padStart(6)} s  ${name}`);
const failed = rows.filter(({ result }) => result === 'FAILED').length;
const skipped = rows.filter(({ result }) => result === 'skipped').length;
console.log(`compat: ${rows.length - failed - skipped} passed, ${failed} failed, ${skipped} skipped`);
if (!values.windows) console.log('compat: Windows was not tried, which takes --windows');
process.exitCode = failed > 0 || rows.length === 0 ? 1 : 0;

function chosenOptions() {
  const flag = { type: 'boolean' };
  try {
    const chosen = parseArgs({ options: { only: { type: 'string' }, windows: flag, 'get-wine': flag, help: flag } });
    if (!chosen.values.help) return chosen;
    console.log(HELP);
    process.exit(0);
  } catch (error) {
    console.error(`compat: ${error.message.split('. ')[0]}\n${HELP}`);
    process.exit(2);
  }
}

async function tryOnThisSystem(tarball) {
  const upstream = (await succeed([...npm(), 'config', 'get', 'registry'])).trim();
  const registry = await startRegistry({ tarball, manifest, upstream });
  try {
    await tryAll(tarball, registry.url);
  } finally {
    await registry.close();
  }
}

async function tryAll(tarball, url) {
  for (const version of NPMS) await tryNpm(version, tarball, url);
  await tryPnpm(tarball, url);
  await tryYarnClassic(tarball, url);
  await tryYarnBerry(tarball, url);
  await tryNodes(tarball);
  await tryBun(tarball);
  await tryDeno(tarball);
  await row('a fresh clone with an empty HOME: npm start', (folder) => tryClone(folder));
  const strict = { name: 'my clone \u00e9', configuration: 'ignore-scripts=true\nomit=optional\npackage-lock=false\n' };
  await row('a clone in a folder with a space, strict .npmrc: npm start', (folder) => tryClone(folder, strict));
}

async function tryNpm(version, tarball, url) {
  const cli = lazily(async () => [
    await nodeFor(version),
    await programOf(join(temporary, `npm-${version}`), `npm@${version}`, 'npm/bin/npm-cli.js'),
  ]);
  const name = `npm ${version}`;
  for (const [way, what, flags] of [
    ['a tarball', tarball, []],
    ['a registry', manifest.name, ['--registry', url]],
  ]) {
    const fresh = [...flags, '--no-audit', '--no-fund', '--cache', freshFolder()];
    await row(`${name}: install from ${way}`, async (folder, env) => {
      const [node, program] = await cli();
      await succeed([node, program, 'install', ...fresh, what], { cwd: folder, env });
      await tryCommand([node, binOf(folder)], { cwd: folder, env });
    });
    await row(`${name}: install -g from ${way}`, async (folder, env) => {
      const [node, program] = await cli();
      const prefix = freshFolder();
      await succeed([node, program, 'install', '-g', '--prefix', prefix, ...fresh, what], { cwd: folder, env });
      await tryCommand([node, join(prefix, 'lib/node_modules/mcpreel', manifest.bin.mcpreel)], { cwd: folder, env });
    });
    await row(`${name}: npx from ${way}`, async (folder, env) => {
      const [node, program] = await cli();
      const chosen = way === 'a tarball' ? ['--package', tarball] : [];
      await tryCommand([node, program, 'exec', '-y', ...fresh, ...chosen, '--', 'mcpreel'], { cwd: folder, env });
    });
  }
}

async function tryPnpm(tarball, url) {
  const pnpm = lazily(async () => {
    const file = await programOf(join(temporary, 'pnpm'), 'pnpm@latest', 'pnpm/bin/pnpm.mjs');
    return [await nodeFor('24'), file];
  });
  await row('pnpm: add from a tarball', async (folder, env) => {
    await succeed([...(await pnpm()), 'add', tarball], { cwd: folder, env });
    await tryCommand([binOf(folder)], { cwd: folder, env });
  });
  await row('pnpm: add from a registry', async (folder, env) => {
    await succeed([...(await pnpm()), 'add', '--registry', url, manifest.name], { cwd: folder, env });
    await tryCommand([binOf(folder)], { cwd: folder, env });
  });
  await row('pnpm: dlx from a registry', async (folder, env) => {
    const dlx = { ...env, npm_config_registry: url, pnpm_config_registry: url };
    await tryCommand([...(await pnpm()), '--silent', 'dlx', manifest.name], { cwd: folder, env: dlx });
  });
}

async function tryYarnClassic(tarball, url) {
  const yarn = lazily(async () => [
    process.execPath,
    await programOf(join(temporary, 'yarn-classic'), 'yarn@1.22.22', 'yarn/bin/yarn.js'),
  ]);
  for (const [way, what] of [
    ['a tarball', tarball],
    ['a registry', manifest.name],
  ]) {
    await row(`yarn 1: add from ${way}`, async (folder, env) => {
      const flags = ['--registry', url, '--cache-folder', freshFolder(), '--no-lockfile'];
      await succeed([...(await yarn()), 'add', ...flags, what], { cwd: folder, env });
      await tryCommand([binOf(folder)], { cwd: folder, env });
    });
  }
}

async function tryYarnBerry(tarball, url) {
  const yarn = lazily(async () => [
    process.execPath,
    await programOf(join(temporary, 'yarn-berry'), '@yarnpkg/cli-dist@4', '@yarnpkg/cli-dist/bin/yarn.js'),
  ]);
  for (const linker of ['node-modules', 'pnp']) {
    for (const [way, what] of [
      ['a tarball', `mcpreel@file:${tarball}`],
      ['a registry', manifest.name],
    ]) {
      await row(`yarn 4 (${linker}): add from ${way}`, async (folder, env) => {
        const berry = {
          ...env,
          YARN_NODE_LINKER: linker,
          YARN_NPM_REGISTRY_SERVER: url,
          YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
          YARN_GLOBAL_FOLDER: freshFolder(),
          YARN_ENABLE_TELEMETRY: '0',
          YARN_ENABLE_IMMUTABLE_INSTALLS: '0',
        };
        await succeed([...(await yarn()), 'add', what], { cwd: folder, env: berry });
        await tryCommand([...(await yarn()), 'run', 'mcpreel'], { cwd: folder, env: berry });
      });
    }
  }
}

async function tryNodes(tarball) {
  for (const version of NODES) {
    await row(`Node ${version}: install from a tarball`, async (folder, env) => {
      const node = await nodeOf(version);
      await succeed([...npm(), 'install', '--no-audit', '--no-fund', tarball], { cwd: folder, env });
      const own = environmentOf(node, env.MCPREEL_HOME);
      await tryCommand([node, binOf(folder)], { cwd: folder, env: own });
      await succeed([node, binOf(folder), 'demo'], { cwd: folder, env: own });
      await tryLibrary(node, { cwd: folder, env: own });
    });
    await row(`Node ${version}: unit tests`, async (_, env) => {
      const projects = ['--project', 'pure', '--project', 'unit'];
      const node = await nodeOf(version);
      const vitest = [node, join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...projects];
      await succeed(vitest, { cwd: root, env: environmentOf(node, env.MCPREEL_HOME), timeoutMs: MAX_TESTS_MS });
    });
  }
}

async function tryBun(tarball) {
  await row('bun: add from a tarball, and run with its own runtime', async (folder, env) => {
    const bun = await programOf(join(temporary, 'bun'), 'bun@latest', 'bun/bin/bun.exe');
    await succeed([bun, 'add', tarball], { cwd: folder, env });
    await tryCommand([bun, '--bun', binOf(folder)], { cwd: folder, env });
  });
}

async function tryDeno(tarball) {
  await row('deno: run what npm installed', async (folder, env) => {
    const deno = await programOf(join(temporary, 'deno'), 'deno@latest', 'deno/deno');
    await succeed([...npm(), 'install', '--no-audit', '--no-fund', tarball], { cwd: folder, env });
    await tryCommand([deno, 'run', '-A', binOf(folder)], { cwd: folder, env: { ...env, DENO_DIR: freshFolder() } });
  });
}

/** Tries one way to install, unless --only excludes it. */
async function row(name, work) {
  if (!isChosen(name)) return;
  const started = performance.now();
  let result = 'ok';
  let size = '';
  const folder = emptyProject(freshFolder());
  try {
    await work(folder, environmentOf(process.execPath, freshFolder()));
    size = sizeText(join(folder, 'node_modules'));
  } catch (error) {
    result = 'FAILED';
    console.error(`compat: ${name}: ${error.message}`);
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  rows.push({ name: `${name}${size}`, seconds, result });
  console.log(`${result.padEnd(7)} ${seconds.padStart(6)} s  ${name}${size}`);
}

function isChosen(name) {
  return values.only === undefined || values.only.split(',').some((part) => name.includes(part));
}

/** The number of installed packages and their size in bytes, for the report. */
function sizeText(modules) {
  const { packages, bytes } = installedSize(modules);
  if (bytes === 0) return '';
  return ` (${packages === undefined ? '' : `${packages} packages, `}${(bytes / 1e6).toFixed(1)} MB)`;
}

function freshFolder() {
  const folder = join(temporary, `folder-${number++}`);
  mkdirSync(folder);
  return folder;
}

function binOf(folder) {
  return join(folder, 'node_modules/.bin/mcpreel');
}

/** The Node that runs this version of npm. The latest npm needs a newer Node than mcpreel. */
async function nodeFor(version) {
  return version === 'latest' || Number.parseInt(version, 10) >= 20 ? nodeOf('24') : process.execPath;
}

function nodeOf(version) {
  const file = process.platform === 'win32' ? 'node/bin/node.exe' : 'node/bin/node';
  const found = nodes.get(version) ?? programOf(join(temporary, `node-${version}`), `node@${version}`, file);
  nodes.set(version, found);
  return found;
}

function lazily(make) {
  let made;
  return () => {
    made ??= make();
    return made;
  };
}
