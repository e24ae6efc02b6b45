import { peersIn } from '../scripts/peers.mjs';

const peers = peersIn('bench/peers');

/** The path of a file in the package of another tool. */
export const peer = peers.path;

/** Installs the other tools and returns whether that worked. Without them, the benchmark still measures the rest. */
export async function installPeers() {
  try {
    await peers.install();
    return true;
  } catch (error) {
    console.log(`Without other tools. ${error.message}`);
    return false;
  }
}
