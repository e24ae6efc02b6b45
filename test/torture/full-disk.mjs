// Torture scenario: the disk is full again and again during a session, on stdio and over HTTP.
import { join } from 'node:path';
import { SmallDisk, whyNoSmallDisk } from './support/disks.mjs';
import { EchoTalk, readKept } from './support/echo-talk.mjs';
import { folderFor } from './support/folder-for.mjs';
import { StreamableTalk } from './support/http-talk.mjs';
import { openStreamableTarget } from './support/http-target.mjs';
import { Judgement, skipped } from './support/judgement.mjs';
import { between } from './support/random.mjs';
import { missedIn, readRecorded } from './support/recorded.mjs';
import { Reel } from './support/reel.mjs';

const PASSED = 'every message passed';
const COUNTED = 'what is missing is counted by gaps, to the message';
const SAID = 'one line on stderr says so';
const TRACE = 'disk/trace.jsonl';
const FULL = /^mcpreel: Recording paused: cannot write \S+: the disk is full$/gm;

export const fullDisk = {
  name: 'full-disk',
  injects: 'a full disk in the middle of a session',
  sizes: { full: { rounds: 30 }, quick: { rounds: 5 }, least: { rounds: 2 } },

  async run({ sizes: { rounds }, folder, random }) {
    const why = whyNoSmallDisk();
    if (why !== undefined) return skipped(why);
    const judgement = new Judgement();
    const missed = [
      await onStdio(folderFor(folder, 'stdio'), rounds, random, judgement),
      await overHttp(folderFor(folder, 'http'), rounds, random, judgement),
    ];
    return judgement.outcome(`a tmpfs of 1 MB, full ${rounds}× on stdio and ${rounds}× over HTTP`, {
      figures: { missed },
    });
  },
};

async function onStdio(folder, rounds, random, judgement) {
  const disk = new SmallDisk(join(folder, 'disk'), 'size=1m');
  try {
    const talk = new EchoTalk(folder, ['--trace-file', TRACE]);
    for (let round = 0; round < rounds; round++) {
      await talk.say(between(random, 1, 20));
      disk.fill();
      await talk.say(between(random, 30, 90));
      disk.free();
    }
    await talk.say(3);
    const { code, stderr } = await talk.end();
    judgement.claim(PASSED, talk.isFaithful && code === 0, `exit ${code}`);
    judgement.claim(SAID, stderr.match(FULL)?.length === 1, stderr);
    const { gaps, accounted, faults } = readKept(join(folder, TRACE));
    judgement.claim(COUNTED, faults.length === 0 && gaps.length > 0, faults[0] ?? 'no gaps');
    judgement.lose(Math.abs(talk.passed - accounted));
    return gaps.reduce((sum, gap) => sum + gap, 0);
  } finally {
    disk.close();
  }
}

async function overHttp(folder, rounds, random, judgement) {
  const disk = new SmallDisk(join(folder, 'disk'), 'size=2m');
  const target = await openStreamableTarget();
  try {
    const { reel, url } = await Reel.listen(folder, ['--trace-file', TRACE, '--target-url', target.url]);
    let exchanges = 0;
    const received = [];
    const talk = new StreamableTalk(url, (text) => received.push(text));
    const ping = async (count) => {
      for (let i = 0; i < count; i++) await talk.say(`{"jsonrpc":"2.0","id":${++exchanges},"method":"ping"}`);
    };
    for (let round = 0; round < rounds; round++) {
      await ping(between(random, 1, 20));
      disk.fill();
      await ping(between(random, 30, 60));
      disk.free();
    }
    await ping(3);
    talk.close();
    const { code, stderr } = await reel.stop();
    judgement.claim(PASSED, received.length === target.said.length && code === 0, `exit ${code}`);
    judgement.claim(SAID, stderr.match(FULL)?.length === 1, stderr);
    const recorded = await readRecorded(join(folder, TRACE));
    const missed = missedIn(recorded);
    const events = recorded.events.filter(({ kind }) => kind !== 'mcpreel.gap').length;
    // Each exchange adds an entry besides its messages, and so does the signal.
    const passed = target.heard.length + target.said.length + exchanges + 1;
    judgement.claim(COUNTED, missed > 0, 'no gaps');
    judgement.lose(Math.abs(passed - recorded.messages.length - events - missed));
    return missed;
  } finally {
    target.close();
    disk.close();
  }
}
