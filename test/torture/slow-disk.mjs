// Torture scenario: a disk on which every write takes 0.5 s, one that cannot keep up, and one that stalls now and then.
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { JournalledDisk, whyNoJournalledDisk } from './support/disks.mjs';
import { EchoTalk, readKept } from './support/echo-talk.mjs';
import { folderFor } from './support/folder-for.mjs';
import { Judgement } from './support/judgement.mjs';
import { missedIn, readRecorded } from './support/recorded.mjs';
import { preload } from './support/reel.mjs';
import { median } from './support/samples.mjs';

const PASSED = 'every message passed';
const SLOW_MS = 500;
const STANDS_STILL_MS = 1000;
const DISK_BYTES = 8 << 20;
const FILLING = 'x'.repeat(10_000);

export const slowDisk = {
  name: 'slow-disk',
  injects: 'a slow disk, one that cannot keep up, one that stands still',
  sizes: {
    full: { messages: 20_000, megabytes: 40, stops: 10 },
    quick: { messages: 2000, megabytes: 40, stops: 2 },
    least: { messages: 300, megabytes: 0, stops: 0 },
  },

  async run({ sizes: { messages, megabytes, stops }, folder }) {
    const judgement = new Judgement();
    const injected = [`${SLOW_MS} ms for every write (by a hook on fs in mcpreel)`];
    const typicalMs = await writesSlowly(folderFor(folder, 'slow'), messages, judgement);
    if (megabytes > 0) {
      injected.push(`${megabytes} MB while one write takes 4 s`);
      await cannotKeepUp(folderFor(folder, 'overrun'), megabytes, judgement);
    }
    if (stops > 0 && whyNoJournalledDisk() === undefined) {
      injected.push(`an ext4 frozen for ${STANDS_STILL_MS} ms, ${stops}×`);
      await standsStill(folderFor(folder, 'frozen'), stops, judgement);
    }
    return judgement.outcome(injected.join('; '), { figures: { typicalMs } });
  },
};

function slowTalk(folder, writeMs) {
  return new EchoTalk(folder, ['--trace-file', 'trace.jsonl'], {
    nodeFlags: preload('slow-disk.cjs'),
    env: { MCPREEL_WRITE_MS: String(writeMs) },
  });
}

async function writesSlowly(folder, messages, judgement) {
  const talk = slowTalk(folder, SLOW_MS);
  await talk.say(messages);
  const { code, stderr } = await talk.end();
  judgement.claim(PASSED, talk.isFaithful && code === 0 && stderr === '', stderr);
  const typicalMs = median(talk.times);
  judgement.claim('nobody waits for the disk', typicalMs < SLOW_MS / 10, `half of them took more than ${typicalMs} ms`);
  const { accounted, gaps, faults } = readKept(join(folder, 'trace.jsonl'));
  judgement.claim('all of it is recorded in the end', faults.length + gaps.length === 0, faults[0] ?? 'gaps');
  judgement.lose(talk.passed - accounted);
  return typicalMs;
}

/** Writes more than mcpreel buffers for a slow disk. */
async function cannotKeepUp(folder, megabytes, judgement) {
  const talk = slowTalk(folder, 4000);
  await talk.say(1);
  for (let said = 0; said < megabytes * 1e6; said += 2e6) await talk.burst(100, FILLING);
  const { code } = await talk.end();
  judgement.claim(PASSED, talk.isFaithful && code === 0, `exit ${code}`);
  const recorded = await readRecorded(join(folder, 'trace.jsonl'));
  const missed = missedIn(recorded);
  judgement.claim('what does not fit 16 MB of waiting lines is counted by gaps', missed > 0, 'no gaps');
  judgement.lose(Math.abs(talk.passed - recorded.messages.length - missed));
}

async function standsStill(folder, stops, judgement) {
  const disk = new JournalledDisk(join(folder, 'disk'), DISK_BYTES);
  try {
    const talk = new EchoTalk(folder, ['--trace-file', 'disk/trace.jsonl']);
    for (let stop = 0; stop < stops; stop++) {
      await talk.say(20);
      disk.freeze();
      const said = talk.say(20);
      await delay(STANDS_STILL_MS);
      disk.thaw();
      await said;
    }
    const { code, stderr } = await talk.end();
    judgement.claim(PASSED, talk.isFaithful && code === 0 && stderr === '', stderr);
    const { accounted, gaps, faults } = readKept(join(folder, 'disk/trace.jsonl'));
    judgement.claim('all of it is recorded in the end', faults.length + gaps.length === 0, faults[0] ?? 'gaps');
    judgement.lose(talk.passed - accounted);
  } finally {
    disk.close();
  }
}
