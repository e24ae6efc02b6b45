// Packs the package as it would be published, and uses an installed copy as a user would.
import { strict as assert } from 'node:assert';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { npm, npmEnvironment, root, run, tool } from './run.mjs';

// The package includes its libraries, so that users install few packages. It includes the page twice: as files for
// hosting, and as the single file into which recordings are embedded.
const MAX_PACKED_BYTES = 2_000_000;

export const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Packs the package into a folder. Returns the path of the tarball and a line about its size. */
export async function pack(folder) {
  const packed = await succeed([...npm(), 'pack', '--json', '--pack-destination', folder], { cwd: root });
  const [{ filename, files, size, unpackedSize }] = [JSON.parse(packed)].flat();
  const expected = /^(dist\/(?!\.stamp).+|README\.md|LICENSE|CHANGELOG\.md|package\.json)$/;
  const strays = files.map(({ path }) => path).filter((path) => !expected.test(path));
  assert.deepEqual(strays, [], `The package holds files that are not part of it: ${strays.join(', ')}`);
  assert.ok(size <= MAX_PACKED_BYTES, `The package is larger than ${kilobytes(MAX_PACKED_BYTES)}: ${kilobytes(size)}`);
  const about = `${files.length} files, ${kilobytes(size)} packed, ${kilobytes(unpackedSize)} unpacked`;
  return { tarball: join(folder, filename), about };
}

/** The environment for programs that run with this Node. */
export function environmentOf(node, home) {
  return { ...npmEnvironment(), MCPREEL_HOME: home, PATH: [dirname(node), process.env.PATH].join(delimiter) };
}

/** Creates and returns an empty project folder to install into. */
export function emptyProject(folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  return folder;
}

/** Installs packages into a separate folder with the npm that runs this script. */
async function installInto(folder, ...packages) {
  const flags = ['--no-engine-strict', '--prefer-offline', '--no-audit', '--no-fund'];
  await succeed([...npm(), 'install', ...flags, ...packages], { cwd: emptyProject(folder), env: npmEnvironment() });
}

/**
 * Uses an installed mcpreel: its version, a wrapped server whose bytes must arrive unchanged, and the recording of that
 * session.
 */
export async function tryCommand(mcpreel, options) {
  const version = await succeed([...mcpreel, '--version'], options);
  assert.equal(version.trim(), manifest.version, 'mcpreel --version');
  // A parser would change the spaces, the escape and the number beyond 2^53.
  const line = '{ "jsonrpc":"2.0", "id":12345678901234567890, "method":"p\\u0069ng" }\n';
  const echo = ['--session-file', 'session.json', '--', 'node', '-e', 'process.stdin.pipe(process.stdout)'];
  const answer = await succeed([...mcpreel, ...echo], { ...options, input: line });
  assert.equal(answer, line, 'A wrapped server must receive and send exactly these bytes');
  assert.match(await succeed([...mcpreel, 'inspect', 'session.json'], options), /#000 > ping id=12345678901234567890/);
}

/** Runs the demo, then runs the command that it prints as typed in a shell. Resolves with that command. */
export async function tryDemo(mcpreel, options) {
  const demo = await succeed([...mcpreel, 'demo'], options);
  const [, next] = /^Print every message: (.+)$/m.exec(demo) ?? [];
  assert.ok(next !== undefined, `The demo must print its next command:\n${demo}`);
  assert.match(await succeed(['sh', '-c', next], options), /Forecast for 24 days/, next);
  return next;
}

/** Loads the installed library, which must export exactly these names. */
export async function tryLibrary(node, options) {
  const source = "import * as library from 'mcpreel'; console.log(Object.keys(library).join())";
  const names = await succeed([node, '--input-type=module', '-e', source], options);
  const expected = 'ReelError,entriesOf,readSession,recordSession,replaySession,startMock';
  assert.equal(names.trim(), expected, 'what the installed library has');
}

/** Runs a command and returns its stdout. Throws an error with all output if the command fails. */
export async function succeed(command, options) {
  const { failure, stdout, output } = await run(command, { timeoutMs: 180_000, ...options });
  if (failure !== undefined) throw new Error(`${command.join(' ')}: ${failure}\n${output}`);
  return stdout;
}

/** Installs a program from npm and returns the path of its file. */
export async function programOf(folder, name, file) {
  await installInto(folder, name);
  return join(folder, 'node_modules', file);
}

/** Type-checks a user's file. */
export async function checkTypes(file, options) {
  const flags = ['--ignoreConfig', '--noEmit', '--skipLibCheck', '--strict', '--module', 'nodenext'];
  await succeed([...tool('typescript/bin/tsc'), ...flags, file], options);
}

function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(0)} kB`;
}
