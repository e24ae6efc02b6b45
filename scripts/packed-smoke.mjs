// Packs the package as it would be published, installs it in an empty folder and uses it the way a user would.
//
//   node scripts/packed-smoke.mjs                          with the Node that runs this
//   node scripts/packed-smoke.mjs --on 20.19.0,22,24,26    with these, which are installed from npm first
import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { npm, npmEnvironment, root, run, tool } from './run.mjs';

// The libraries are in it, so that a user installs few packages; and the page twice: as files for hosting, and as the one
// file that recordings are put into.
const maxPackedBytes = 1_800_000;
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const temporary = mkdtempSync(join(tmpdir(), 'mcpreel-smoke-'));
const { values } = parseArgs({ options: { on: { type: 'string' } } });
/** The Node that a user has, and the folder that he works in. */
let node = process.execPath;
let folder = temporary;

try {
  const tarball = await pack();
  await judgeTypes(tarball);
  const versions = values.on?.split(',') ?? [undefined];
  for (const [place, version] of versions.entries()) {
    if (version !== undefined) node = await installNode(version);
    folder = join(temporary, `user-${place}`);
    await install(tarball);
    await tryCommand();
    await tryLibrary();
    await tryVitest();
    console.log(`smoke: works with Node ${(await succeed([node, '--version'])).trim()}`);
  }
} catch (error) {
  console.error(`smoke: ${error.message}`);
  process.exitCode = 1;
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

/** Installs a Node from npm, and returns the path of its program. */
async function installNode(version) {
  const home = join(temporary, `node-${version}`);
  mkdirSync(home);
  writeFileSync(join(home, 'package.json'), '{ "private": true }\n');
  await succeed([...npm(), 'install', '--no-engine-strict', '--no-audit', '--no-fund', `node@${version}`], {
    cwd: home,
  });
  return join(home, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

/** What programs find that are run with the user's Node. */
function environment() {
  return {
    ...npmEnvironment(),
    MCPREEL_HOME: join(temporary, 'home'),
    PATH: [dirname(node), process.env.PATH].join(delimiter),
  };
}

async function pack() {
  const packed = await succeed([...npm(), 'pack', '--json', '--pack-destination', temporary], { cwd: root });
  const [{ filename, files, size, unpackedSize }] = [JSON.parse(packed)].flat();
  const expected = /^(dist\/(?!\.stamp).+|README\.md|LICENSE|CHANGELOG\.md|package\.json)$/;
  const strays = files.map(({ path }) => path).filter((path) => !expected.test(path));
  assert.deepEqual(strays, [], `The package holds files that nobody needs: ${strays.join(', ')}`);
  console.log(`smoke: ${files.length} files, ${kilobytes(size)} packed, ${kilobytes(unpackedSize)} unpacked`);
  assert.ok(size <= maxPackedBytes, `The package is larger than ${kilobytes(maxPackedBytes)}`);
  return join(temporary, filename);
}

/** Whether its types are found wherever modules are. */
async function judgeTypes(tarball) {
  await succeed([...tool('@arethetypeswrong/cli/dist/index.js'), tarball, '--profile', 'esm-only']);
}

async function install(tarball) {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const flags = ['--omit=dev', '--prefer-offline', '--no-audit', '--no-fund'];
  await succeed([...npm(), 'install', ...flags, tarball]);
}

async function tryCommand() {
  const mcpreel = join(folder, 'node_modules/.bin/mcpreel');
  assert.equal((await succeed([mcpreel, '--version'])).trim(), manifest.version, 'mcpreel --version');
  assert.match(await succeed([mcpreel, '--help']), /mcpreel/, 'mcpreel --help');
  // Spaces, an escape and a number beyond 2^53 would not survive a parser.
  const line = '{ "jsonrpc":"2.0", "id":12345678901234567890, "method":"p\\u0069ng" }\n';
  const echo = [mcpreel, '--', 'node', '-e', 'process.stdin.pipe(process.stdout)'];
  assert.equal(
    await succeed(echo, { input: line }),
    line,
    'A wrapped server must receive and send exactly these bytes',
  );
  await succeed([mcpreel, 'demo']);
}

async function tryLibrary() {
  const source = "import * as library from 'mcpreel'; console.log(Object.keys(library).join())";
  const names = await succeed([node, '--input-type=module', '-e', source]);
  const expected = 'ReelError,entriesOf,readSession,recordSession,replaySession,startMock';
  assert.equal(names.trim(), expected, 'what the installed library has');
  // Without its types readSession would be any, and the second line would be no mistake.
  const user =
    "import { readSession } from 'mcpreel';\n// @ts-expect-error\nexport const wrong: number = readSession;\n";
  writeFileSync(join(folder, 'user.mts'), user);
  await checkTypes('user.mts');
}

/** Vitest is the user's own: it is not among what mcpreel installs. */
async function tryVitest() {
  const { failure, output } = await run([node, '--input-type=module', '-e', "import 'mcpreel/vitest'"], {
    cwd: folder,
    env: environment(),
  });
  assert.ok(failure !== undefined, 'mcpreel/vitest without Vitest must fail');
  assert.match(output, /mcpreel\/vitest needs Vitest 3\.2 or newer/, 'mcpreel/vitest names what is missing');
  symlinkSync(join(root, 'node_modules/vitest'), join(folder, 'node_modules/vitest'));
  const imports = "import 'mcpreel/vitest';\nimport { expect, test } from 'vitest';\n";
  const user =
    "test('matches', async () => {\n  const matched: Promise<void> = expect('a.jsonl').toMatchRecording('b.jsonl');\n" +
    '  await matched;\n});\n';
  writeFileSync(join(folder, 'user.test.mts'), imports + user);
  const message = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n{"jsonrpc":"2.0","id":1,"result":{}}\n';
  for (const name of ['a.jsonl', 'b.jsonl']) writeFileSync(join(folder, name), message);
  await checkTypes('user.test.mts');
  await succeed([node, join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', '.']);
}

async function checkTypes(file) {
  const flags = ['--ignoreConfig', '--noEmit', '--skipLibCheck', '--strict', '--module', 'nodenext'];
  await succeed([...tool('typescript/bin/tsc'), ...flags, file]);
}

/** Runs a command in the user's folder and returns what it wrote to stdout; throws with all it printed if it fails. */
async function succeed(command, options) {
  const { failure, stdout, output } = await run(command, {
    cwd: folder,
    env: environment(),
    timeoutMs: 120_000,
    ...options,
  });
  if (failure !== undefined) throw new Error(`${command.join(' ')}: ${failure}\n${output}`);
  return stdout;
}

function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(0)} kB`;
}
