// Torture scenario: the disk is read-only at first and writable later, or becomes read-only by a fault during a
// session.
import { join } from 'node:path';
import { JournalledDisk, SmallDisk, whyNoJournalledDisk, whyNoSmallDisk } from './support/disks.mjs';
import { EchoTalk, readKept } from './support/echo-talk.mjs';
import { Judgement, skipped } from './support/judgement.mjs';
import { between } from './support/random.mjs';
import { readRecorded } from './support/recorded.mjs';

const PASSED = 'every message passed';
const SAID = 'one line on stderr says so';
const READ_ONLY = /^mcpreel: Recording paused: cannot write \S+: the disk is read-only\n$/;

export const readOnlyDisk = {
  name: 'read-only-disk',
  injects: 'a disk that is, or becomes, read-only',
  sizes: { full: { rounds: 10 }, quick: { rounds: 2 }, least: { rounds: 1 } },

  async run({ sizes: { rounds }, folder, random }) {
    const why = whyNoSmallDisk() ?? whyNoJournalledDisk();
    if (why !== undefined) return skipped(why);
    const judgement = new Judgement();
    for (let round = 0; round < rounds; round++) {
      await becomesWritable(join(folder, `late-${round}`), random, judgement);
      await breaksDown(join(folder, `broken-${round}`), random, judgement);
    }
    return judgement.outcome(
      `a tmpfs that is read-only at first (${rounds}×), an ext4 whose journal aborts in the middle (${rounds}×)`,
    );
  },
};

async function becomesWritable(name, random, judgement) {
  const disk = new SmallDisk(name, 'size=256k');
  try {
    disk.makeReadOnly();
    const trace = join(name, 'trace.jsonl');
    const talk = new EchoTalk(join(name, '..'), ['--trace-file', trace]);
    await talk.say(between(random, 5, 30));
    disk.makeWritable();
    let kept = { gaps: [] };
    // mcpreel retries now and then, when it has something to write.
    while (kept.gaps.length === 0) {
      await talk.say(1);
      kept = keptIfThere(trace);
    }
    await talk.say(5);
    const { code, stderr } = await talk.end();
    judgement.claim(PASSED, talk.isFaithful && code === 0, `exit ${code}`);
    judgement.claim(SAID, READ_ONLY.test(stderr), stderr);
    const { accounted, faults } = readKept(trace);
    judgement.claim(
      'recorded from when it is writable, with a gap for what was before',
      faults.length === 0,
      faults[0],
    );
    judgement.lose(Math.abs(talk.passed - accounted));
  } finally {
    disk.close();
  }
}

function keptIfThere(trace) {
  try {
    return readKept(trace);
  } catch {
    return { gaps: [] };
  }
}

async function breaksDown(name, random, judgement) {
  const disk = new JournalledDisk(name);
  try {
    const trace = join(name, 'trace.jsonl');
    const talk = new EchoTalk(join(name, '..'), ['--trace-file', trace]);
    await talk.say(between(random, 5, 60));
    // A message is recorded shortly after it is forwarded.
    while (readKept(trace).messages < talk.passed) await new Promise((resolve) => setImmediate(resolve));
    const before = talk.passed;
    disk.breakDown();
    await talk.say(between(random, 5, 60));
    const { code, stderr } = await talk.end();
    judgement.claim(PASSED, talk.isFaithful && code === 0, `exit ${code}`);
    judgement.claim(SAID, READ_ONLY.test(stderr), stderr);
    const { messages, problems } = await readRecorded(trace);
    judgement.claim('what was recorded before the fault is there and opens', problems.length === 0, problems[0]);
    judgement.lose(before - messages.length);
  } finally {
    disk.close();
  }
}
