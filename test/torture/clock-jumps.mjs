// Torture scenario: the clock jumps by hours during sessions, and mcpreel is suspended for a while, as on a sleeping
// machine.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openClock } from './support/clock.mjs';
import { EchoTalk, readKept } from './support/echo-talk.mjs';
import { folderFor } from './support/folder-for.mjs';
import { StreamableTalk } from './support/http-talk.mjs';
import { openStreamableTarget } from './support/http-target.mjs';
import { Judgement } from './support/judgement.mjs';
import { between } from './support/random.mjs';
import { compareInOrder, readRecorded, textsOf } from './support/recorded.mjs';
import { mcpreel, Reel } from './support/reel.mjs';

const HOURS = [5, -7, 0, 48, -30 * 24, 1, 0];
const SLEEPS_MS = 1500;
const PASSED = 'every message passes without delay';
const RECORDED = 'every message is recorded in the order in which it passed';
const SENSIBLE = 'no duration is negative';

const run = promisify(execFile);

export const clockJumps = {
  name: 'clock-jumps',
  injects: 'a clock that is set in the middle of a session',
  sizes: { full: { rounds: 10 }, quick: { rounds: 2 }, least: { rounds: 1 } },

  async run({ sizes: { rounds }, folder, random }) {
    const judgement = new Judgement();
    const clock = openClock(join(folder, 'clock'));
    await onStdio(folderFor(folder, 'stdio'), clock, rounds, random, judgement);
    await overHttp(folderFor(folder, 'http'), clock, rounds, judgement);
    const jumps = HOURS.map((hours) => `${hours > 0 ? '+' : ''}${hours} h`).join(', ');
    return judgement.outcome(
      `the clock at ${jumps}, ${rounds}× on stdio and over HTTP (by ${clock.how}); mcpreel stopped for ${SLEEPS_MS} ms`,
    );
  },
};

async function onStdio(folder, clock, rounds, random, judgement) {
  const flags = ['--trace-file', 'trace.jsonl', '--session-file', 'session.json', '--save-every', '0.2'];
  const talk = new EchoTalk(folder, flags, clock.options);
  for (let round = 0; round < rounds; round++) {
    for (const hours of HOURS) {
      clock.set(hours * 3600);
      await talk.say(between(random, 5, 20));
    }
    talk.reel.child.kill('SIGSTOP');
    const meanwhile = talk.say(5);
    await delay(SLEEPS_MS);
    talk.reel.child.kill('SIGCONT');
    await meanwhile;
  }
  clock.set(0);
  const { code, stderr } = await talk.end();
  judgement.claim(PASSED, talk.isFaithful && code === 0 && stderr === '', `exit ${code} ${stderr}`);
  const { accounted, gaps, faults, end } = readKept(join(folder, 'trace.jsonl'));
  judgement.claim(RECORDED, faults.length + gaps.length === 0, faults[0] ?? 'gaps');
  judgement.claim(SENSIBLE, end?.durationMs >= 0, `the session took ${end?.durationMs} ms`);
  judgement.lose(talk.passed - accounted);
  const { messages } = await readRecorded(join(folder, 'session.json'));
  judgement.claim('the session file has all of it', messages.length === talk.passed, `${messages.length} messages`);
}

/** Each call starts before the clock is set and is answered after it. */
async function overHttp(folder, clock, rounds, judgement) {
  const target = await openStreamableTarget();
  try {
    const flags = ['--trace-file', 'trace.jsonl', '--target-url', target.url];
    const { reel, url } = await Reel.listen(folder, flags, clock.options);
    const received = [];
    const talk = new StreamableTalk(url, (text) => received.push(text));
    let id = 0;
    for (let round = 0; round < rounds; round++) {
      for (const hours of HOURS) {
        target.onHeard = () => clock.set(hours * 3600);
        for (let i = 0; i < 5; i++) await talk.say(`{"jsonrpc":"2.0","id":${++id},"method":"ping"}`);
      }
    }
    clock.set(0);
    talk.close();
    const { code } = await reel.stop();
    judgement.claim(PASSED, code === 0 && received.join() === target.said.join(), `exit ${code}`);
    const recorded = await readRecorded(join(folder, 'trace.jsonl'));
    for (const [dir, passed] of [
      ['in', target.heard],
      ['out', received],
    ]) {
      judgement.compared(RECORDED, compareInOrder(textsOf(recorded, dir), passed));
    }
    const exchanges = recorded.events.filter(({ kind }) => kind === 'http.exchange').map(({ raw }) => raw.ms);
    judgement.claim(
      SENSIBLE,
      exchanges.every((ms) => isSensible(ms)),
      JSON.stringify(exchanges.find((ms) => !isSensible(ms))),
    );
    const { stdout } = await run(process.execPath, [
      mcpreel(),
      'inspect',
      '--stats',
      '--json',
      join(folder, 'trace.jsonl'),
    ]);
    judgement.claim(SENSIBLE, !/:\s*-\d/.test(stdout), /"\w+":\s*-\d+/.exec(stdout)?.[0]);
  } finally {
    target.close();
  }
}

function isSensible(ms) {
  return Object.values(typeof ms === 'number' ? { ms } : ms).every((value) => value === null || value >= 0);
}
