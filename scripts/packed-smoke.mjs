// Packs the package as it would be published, installs it in empty folders and uses it as a user would: from the
// tarball with the npm that runs this script, and from a registry with npx of an old npm that breaks easily.
import { strict as assert } from 'node:assert';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { installedSize } from './installed-packages.mjs';
import { startRegistry } from './loopback-registry.mjs';
import {
  checkTypes,
  emptyProject,
  environmentOf,
  manifest,
  pack,
  programOf,
  succeed,
  tryCommand,
  tryDemo,
  tryLibrary,
} from './packed-package.mjs';
import { npm, root, run, tool } from './run.mjs';

/** Limits for an installation: mcpreel and its dependencies together. */
const MAX_PACKAGES = 30;
const MAX_INSTALLED_BYTES = 12_000_000;
/** Ships with Node 20, and crashed on input that newer versions accept. */
const OLD_NPM = '10.8.2';

const temporary = mkdtempSync(join(tmpdir(), 'mcpreel-smoke-'));
const env = environmentOf(process.execPath, join(temporary, 'home'));
const folder = emptyProject(join(temporary, 'user'));
const here = { cwd: folder, env };

try {
  const { tarball, about } = await pack(temporary);
  console.log(`smoke: ${about}`);
  // Checks that TypeScript finds the types with every module resolution.
  await succeed([...tool('@arethetypeswrong/cli/dist/index.js'), tarball, '--profile', 'esm-only']);
  await succeed([...npm(), 'install', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund', tarball], here);
  checkSize();
  const mcpreel = [join(folder, 'node_modules/.bin/mcpreel')];
  await tryCommand(mcpreel, here);
  assert.match(await tryDemo(mcpreel, here), /^npx mcpreel inspect /, 'what the demo of an installed mcpreel prints');
  await tryLibrary(process.execPath, here);
  await tryTypes();
  await tryVitest();
  await tryRegistry(tarball);
  console.log(`smoke: works with Node ${process.version}, and with npx of npm ${OLD_NPM} from a registry`);
} catch (error) {
  console.error(`smoke: ${error.message}`);
  process.exitCode = 1;
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

function checkSize() {
  const { packages, bytes } = installedSize(join(folder, 'node_modules'));
  const size = `${packages} packages, ${(bytes / 1e6).toFixed(1)} MB`;
  const isSmall = packages <= MAX_PACKAGES && bytes <= MAX_INSTALLED_BYTES;
  assert.ok(isSmall, `More is installed than ${MAX_PACKAGES} packages and ${MAX_INSTALLED_BYTES / 1e6} MB: ${size}`);
  console.log(`smoke: installed ${size}`);
}

async function tryTypes() {
  // Without types, readSession would be `any`, and the second line would not be an error.
  const user =
    "import { readSession } from 'mcpreel';\n// @ts-expect-error\nexport const wrong: number = readSession;\n";
  writeFileSync(join(folder, 'user.mts'), user);
  await checkTypes('user.mts', here);
}

/** mcpreel does not install Vitest; the user does. */
async function tryVitest() {
  const without = await run([process.execPath, '--input-type=module', '-e', "import 'mcpreel/vitest'"], here);
  assert.ok(without.failure !== undefined, 'mcpreel/vitest without Vitest must fail');
  assert.match(without.output, /mcpreel\/vitest needs Vitest 3\.2 or newer/, 'mcpreel/vitest names what is missing');
  symlinkSync(join(root, 'node_modules/vitest'), join(folder, 'node_modules/vitest'));
  const imports = "import 'mcpreel/vitest';\nimport { expect, test } from 'vitest';\n";
  const user =
    "test('matches', async () => {\n  const matched: Promise<void> = expect('a.jsonl').toMatchRecording('b.jsonl');\n" +
    '  await matched;\n});\n';
  writeFileSync(join(folder, 'user.test.mts'), imports + user);
  const message = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n{"jsonrpc":"2.0","id":1,"result":{}}\n';
  for (const name of ['a.jsonl', 'b.jsonl']) writeFileSync(join(folder, name), message);
  await checkTypes('user.test.mts', here);
  await succeed([process.execPath, join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', '.'], here);
}

async function tryRegistry(tarball) {
  const upstream = (await succeed([...npm(), 'config', 'get', 'registry'], here)).trim();
  const registry = await startRegistry({ tarball, manifest, upstream });
  try {
    const oldNpm = await programOf(join(temporary, 'npm'), `npm@${OLD_NPM}`, 'npm/bin/npm-cli.js');
    const flags = ['exec', '-y', '--registry', registry.url, '--cache', join(temporary, 'cache'), '--'];
    const cwd = emptyProject(join(temporary, 'npx'));
    const npx = [process.execPath, oldNpm, ...flags, 'mcpreel'];
    // For npx as a user types it: the same npm finds its downloads, and no user configuration interferes.
    const typed = {
      ...env,
      PATH: [join(temporary, 'npm/node_modules/.bin'), env.PATH].join(delimiter),
      npm_config_registry: registry.url,
      npm_config_cache: join(temporary, 'cache'),
      npm_config_userconfig: join(temporary, 'no-npmrc'),
    };
    await tryCommand(npx, { cwd, env: typed });
    const next = await tryDemo(npx, { cwd, env: typed });
    assert.match(next, /^npx mcpreel inspect /, 'what the demo prints with npx');
  } finally {
    await registry.close();
  }
}
