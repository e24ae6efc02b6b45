// Installs the other tools that mcpreel is tested with (test/peers) and benchmarked against (bench/peers), when a run
// needs them.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { holdsWhatIsLocked } from './installed-packages.mjs';
import { takeLock } from './lock.mjs';
import { npm, npmEnvironment, root, run } from './run.mjs';

/**
 * The tools that a folder's package.json lists. `path` returns the path of a file in one of their packages. `needs` are
 * files that a complete installation must have.
 */
export function peersIn(place, needs = []) {
  const folder = join(root, place);
  const path = (file) => join(folder, 'node_modules', file);
  const isInstalled = () => needs.every((file) => existsSync(path(file))) && holdsWhatIsLocked(folder);
  return {
    path,
    /**
     * Installs the tools unless the locked versions are installed. Throws an error whose message says why that failed.
     */
    async install() {
      if (isInstalled()) return;
      // Several tests may install them at once.
      const release = await takeLock(join(root, 'node_modules', '.cache', `${place.replaceAll('/', '-')}.lock`));
      try {
        // The previous holder of the lock may have installed them.
        if (!isInstalled()) await install(place, folder);
      } finally {
        release();
      }
    },
  };
}

const NODE = process.platform === 'win32' ? 'node/bin/node.exe' : 'node/bin/node';
const tested = peersIn('test/peers', [NODE]);

/** The path of a file in a package of test/peers. */
export const peer = tested.path;

/** A newer Node than mcpreel needs. Tests use this path only: on PATH, this Node would run everything else too. */
export const peerNode = peer(NODE);

/** Installs the tools of test/peers. */
export const installPeers = tested.install;

async function install(place, folder) {
  process.stderr.write(`peers: installing the other tools (npm ci in ${place})\n`);
  // Some tools need a newer Node than mcpreel. The engine-strict setting of mcpreel reaches the inner npm through the
  // environment.
  const command = [...npm(), 'ci', '--no-engine-strict', '--no-audit', '--no-fund'];
  const { failure, output } = await run(command, { cwd: folder, env: npmEnvironment() });
  if (failure === undefined) return;
  const reason = [...output.matchAll(/^npm error (.+)$/gm)].slice(0, 2).map(([, line]) => line);
  throw new Error(`The other tools of ${place} cannot be installed: ${reason.join(', ') || failure}`);
}
