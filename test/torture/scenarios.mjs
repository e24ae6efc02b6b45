import { clockJumps } from './clock-jumps.mjs';
import { fullDisk } from './full-disk.mjs';
import { halfCloses } from './half-closes.mjs';
import { kill } from './kill.mjs';
import { manyConversations } from './many-conversations.mjs';
import { manyIds } from './many-ids.mjs';
import { manySessions } from './many-sessions.mjs';
import { oneByteChunks } from './one-byte-chunks.mjs';
import { readOnlyDisk } from './read-only-disk.mjs';
import { resets } from './resets.mjs';
import { slowDisk } from './slow-disk.mjs';
import { soak } from './soak.mjs';
import { stalledPeers } from './stalled-peers.mjs';
import { stderrFlood } from './stderr-flood.mjs';

/** The torture scenarios, in the order in which they run. */
export const SCENARIOS = [
  kill,
  fullDisk,
  readOnlyDisk,
  slowDisk,
  stalledPeers,
  halfCloses,
  resets,
  oneByteChunks,
  stderrFlood,
  clockJumps,
  manyConversations,
  manySessions,
  manyIds,
  soak,
];
