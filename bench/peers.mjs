import { peersIn } from '../scripts/peers.mjs';

const peers = peersIn('bench/peers');

/** The path of a file that another tool brings along. */
export const peer = peers.path;

/** Installs the other tools. Without them the rest can be measured all the same: returns whether they are there. */
export async function installPeers() {
  try {
    await peers.install();
    return true;
  } catch (error) {
    console.log(`Without other tools. ${error.message}`);
    return false;
  }
}
