// The other tools that mcpreel is tested with (test/peers) and measured beside (bench/peers), installed by the run that
// needs them.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { holdsWhatIsLocked } from './installed-packages.mjs';
import { takeLock } from './lock.mjs';
import { npm, npmEnvironment, root, run } from './run.mjs';

/**
 * The tools that the package.json of a folder names. `path` is that of a file which one of their packages brings along,
 * `needs` are files without which an installation is not complete.
 */
export function peersIn(place, needs = []) {
  const folder = join(root, place);
  const path = (file) => join(folder, 'node_modules', file);
  const isInstalled = () => needs.every((file) => existsSync(path(file))) && holdsWhatIsLocked(folder);
  return {
    path,
    /** Installs them unless they are there as locked. Throws an error whose message says why they cannot be had. */
    async install() {
      if (isInstalled()) return;
      // Several tests may want them at once.
      const release = await takeLock(join(root, 'node_modules', '.cache', `${place.replaceAll('/', '-')}.lock`));
      try {
        // Whoever held the lock before may have done the work.
        if (!isInstalled()) await install(place, folder);
      } finally {
        release();
      }
    },
  };
}

const NODE = process.platform === 'win32' ? 'node/bin/node.exe' : 'node/bin/node';
const tested = peersIn('test/peers', [NODE]);

/** The path of a file that a package of test/peers brings along. */
export const peer = tested.path;

/** A newer Node than mcpreel itself needs. It is called by this path only: on PATH it would run everything else too. */
export const peerNode = peer(NODE);

/** Installs those of test/peers. */
export const installPeers = tested.install;

async function install(place, folder) {
  process.stderr.write(`peers: installing the other tools (npm ci in ${place})\n`);
  // Some want a newer Node than mcpreel, whose own strictness reaches an inner npm through the environment.
  const command = [...npm(), 'ci', '--no-engine-strict', '--no-audit', '--no-fund'];
  const { failure, output } = await run(command, { cwd: folder, env: npmEnvironment() });
  if (failure === undefined) return;
  const reason = [...output.matchAll(/^npm error (.+)$/gm)].slice(0, 2).map(([, line]) => line);
  throw new Error(`The other tools of ${place} cannot be installed: ${reason.join(', ') || failure}`);
}
