// Measures the time to get mcpreel with npm, compared with a package that is only the server: until the first byte with
// npx, and for an installation. The registry runs on this machine and forwards requests for dependencies, so this needs
// a network.
//
//   npm run bench:npx                  medians of five interleaved rounds
//   npm run bench:npx -- --rounds 1    a quick look
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installedSize } from '../scripts/installed-packages.mjs';
import { startRegistry } from '../scripts/loopback-registry.mjs';
import { emptyProject, environmentOf, manifest, pack, succeed } from '../scripts/packed-package.mjs';
import { npm } from '../scripts/run.mjs';
import { readFlags } from './flags.mjs';
import { Figure, interleave } from './interleave.mjs';
import { inTemporaryFolder } from './measure.mjs';
import { here, node } from './programs.mjs';
import { markdownTable } from './table.mjs';

const { rounds } = readFlags({ rounds: 5 });
const REQUEST = '{"jsonrpc":"2.0","id":1,"method":"ping","params":{}}\n';
const MCPREEL = 'mcpreel';
const BARE = 'the server alone';

await inTemporaryFolder(compare);

async function compare(folder) {
  const { tarball } = await pack(folder);
  const upstream = (await succeed([...npm(), 'config', 'get', 'registry'])).trim();
  const bare = await packBareServer(join(folder, 'bare'));
  const registry = await startRegistry({ tarball, manifest, upstream, others: [bare] });
  const contestants = {
    [BARE]: { name: bare.manifest.name, command: [bare.manifest.name] },
    [MCPREEL]: { name: manifest.name, command: [manifest.name, '--', node, here('bare-echo.mjs')] },
  };
  const figures = {
    'npx with an empty cache, until the first byte: s': new Figure(),
    'npx the next time, until the first byte: s': new Figure(),
    'npm install with an empty cache: s': new Figure(),
    'npm install with a filled cache: s': new Figure(),
  };
  const [firstNpx, nextNpx, firstInstall, nextInstall] = Object.values(figures);
  const sizes = {};
  try {
    await interleave(contestants, rounds, async (contestant, { name, command }) => {
      const place = join(folder, 'round');
      const flags = ['--registry', registry.url, '--no-audit', '--no-fund', '--cache', join(place, 'cache')];
      const npx = [...npm(), 'exec', '-y', ...flags, '--', ...command];
      const around = { cwd: emptyProject(join(place, 'user')), env: environmentOf(node, join(place, 'home')) };
      firstNpx.add(contestant, await untilFirstByte(npx, around));
      nextNpx.add(contestant, await untilFirstByte(npx, around));
      rmSync(join(place, 'cache'), { recursive: true });
      for (const [figure, project] of [
        [firstInstall, 'first'],
        [nextInstall, 'next'],
      ]) {
        const cwd = emptyProject(join(place, project));
        const started = performance.now();
        await succeed([...npm(), 'install', ...flags, name], { ...around, cwd });
        figure.add(contestant, (performance.now() - started) / 1000);
        sizes[contestant] = installedSize(join(cwd, 'node_modules'));
      }
      rmSync(place, { recursive: true });
    });
  } finally {
    await registry.close();
  }
  print(figures, sizes);
}

/** Packs a package whose program is the server that mcpreel wraps. */
async function packBareServer(folder) {
  mkdirSync(folder);
  const about = { name: 'mcpreel-bench-bare-server', version: '1.0.0', bin: 'server.mjs', type: 'module' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(about));
  // npx runs the file by its first line.
  const source = readFileSync(here('bare-echo.mjs'), 'utf8');
  writeFileSync(join(folder, 'server.mjs'), `#!/usr/bin/env node\n${source}`);
  const packed = await succeed([...npm(), 'pack', '--json'], { cwd: folder });
  const [{ filename }] = [JSON.parse(packed)].flat();
  return { tarball: join(folder, filename), manifest: about };
}

/** Seconds from the start of a command to the first byte of its response to a request that was sent immediately. */
function untilFirstByte([program, ...args], { cwd, env }) {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(program, args, { cwd, env });
    let seconds;
    let noted = '';
    child.stdin.write(REQUEST);
    child.stderr.on('data', (chunk) => {
      noted += chunk;
    });
    child.stdout.on('data', () => {
      seconds ??= (performance.now() - started) / 1000;
      child.stdin.end();
    });
    child.once('error', reject);
    child.once('close', () => (seconds === undefined ? reject(new Error(noted)) : resolve(seconds)));
  });
}

function print(figures, sizes) {
  const lines = Object.entries(figures).map(([title, figure]) => [
    title,
    figure.median(BARE).toFixed(2),
    figure.median(MCPREEL).toFixed(2),
    figure.ratiosTo(BARE)[MCPREEL].toFixed(2),
  ]);
  const count = (name) => String(sizes[name].packages);
  const megabytes = (name) => (sizes[name].bytes / 1e6).toFixed(1);
  lines.push(['packages', count(BARE), count(MCPREEL), ''], ['MB installed', megabytes(BARE), megabytes(MCPREEL), '']);
  console.log(`\n${markdownTable(['', BARE, MCPREEL, 'ratio'], lines)}`);
  console.log(`\nNode ${process.version}, medians of ${rounds} interleaved rounds`);
}
