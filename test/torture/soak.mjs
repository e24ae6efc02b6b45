// Torture scenario: half an hour of mixed traffic on stdio, over HTTP and across a bridge, with control clients that
// connect, hold messages and disconnect. Memory, handles and event loop delay must stay constant.
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { folderFor } from './support/folder-for.mjs';
import { Judgement } from './support/judgement.mjs';
import { LiveScreen } from './support/live-screen.mjs';
import { readRecorded } from './support/recorded.mjs';
import { mcpreel, preload, Reel, server, startNode } from './support/reel.mjs';
import { connectHttp, connectStdio } from './support/sdk-clients.mjs';
import { startSdkServer } from './support/sdk-server.mjs';
import { judgeSamples, WatchedProcess } from './support/watched-process.mjs';

const TRACE = ['--trace-file', 'trace.jsonl'];
const PAUSE_MS = 20;

export const soak = {
  name: 'soak',
  injects: 'a long time',
  sizes: {
    full: { seconds: 1800, roundSeconds: 20, growth: 0.1 },
    // A process that is still warming up grows.
    quick: { seconds: 30, roundSeconds: 2, growth: 0.4 },
    least: { seconds: 6, roundSeconds: 0.5, growth: 1 },
  },

  async run({ sizes: { seconds, roundSeconds, growth }, folder, note }) {
    const judgement = new Judgement();
    const idle = startIdle(folder);
    const target = await startSdkServer(folder);
    const runs = [await onStdio(folder), await overHttp(folder, target.url), await acrossABridge(folder)];
    const until = performance.now() + seconds * 1000;
    const { rounds, released } = await soakUntil(until, roundSeconds, runs, note);
    for (const run of runs) await run.end();
    await target.close();
    idle.child.stdin.end();
    const figures = {};
    for (const run of runs) {
      const judged = judgeSamples(run.watched.samples, idle.watched.samples.delays, { growth });
      figures[run.name] = { calls: run.calls, ...judged.figures };
      const { wrong } = judged;
      judgement.claim(`${run.name} stays as it is (${inWords(judged.figures)})`, wrong.length === 0, wrong.join(', '));
      judgement.claim('every call is answered', run.problem === undefined, run.problem);
      await judgeTrace(run, judgement);
    }
    judgement.claim('messages are held and let go', released > 0);
    const calls = runs.reduce((sum, run) => sum + run.calls, 0);
    return judgement.outcome(
      `${Math.round(seconds / 6) / 10} minutes, ${calls} calls on stdio, over HTTP and across a bridge, ${rounds} times a screen that holds messages`,
      { figures },
    );
  },
};

function inWords({ memoryMegabytes, handles, delayP99Ms }) {
  const change = (pair) => pair.join(' → ');
  return `${change(memoryMegabytes)} MB, ${change(handles)} handles, event loop ${change(delayP99Ms)} ms late at p99`;
}

/** Each call sends a unique text, which must be recorded twice: in the call and in its response. */
async function judgeTrace({ name, folder, calls }, judgement) {
  const { messages } = await readRecorded(join(folder, 'trace.jsonl'));
  const seen = new Map();
  for (const { text } of messages) {
    const [said] = /soak \d+/.exec(text) ?? [];
    if (said !== undefined) seen.set(said, (seen.get(said) ?? 0) + 1);
  }
  const often = [...seen.values()].filter((times) => times !== 2).length;
  judgement.claim('every call and answer is recorded once', often === 0, `${name}: ${often} calls`);
  judgement.lose(2 * calls - [...seen.values()].reduce((sum, times) => sum + times, 0));
}

/**
 * Lets all clients talk until the time is up. Now and then a control client connects and holds messages; returns how
 * often, and how many.
 */
async function soakUntil(until, roundSeconds, runs, note) {
  let isOver = false;
  const talks = runs.map((run) => run.talk(() => isOver));
  const look = () => {
    for (const { watched } of runs) watched.look();
  };
  const looks = setInterval(look, (roundSeconds * 1000) / 10);
  let [rounds, released] = [0, 0];
  for (let toldAt = performance.now(); performance.now() < until; rounds++) {
    await delay((roundSeconds * 1000) / 2);
    const screens = await Promise.all(runs.map((run) => screenAt(run, (roundSeconds * 1000) / 4)));
    for (const screen of screens) released += screen.released;
    await delay((roundSeconds * 1000) / 4);
    for (const { watched } of runs) watched.endRound();
    if (performance.now() - toldAt > 60_000) {
      toldAt = performance.now();
      note(
        `${Math.round((until - toldAt) / 60_000)} minutes to go, ${runs.map((run) => `${run.name} ${run.calls}`).join(', ')} calls`,
      );
    }
  }
  isOver = true;
  await Promise.all(talks);
  clearInterval(looks);
  return { rounds, released };
}

async function screenAt({ folder }, ms) {
  const screen = await LiveScreen.attach(join(folder, 'home'));
  await screen.hold('tool:echo');
  await delay(ms);
  await screen.hold(undefined);
  await screen.detach();
  return screen;
}

/** A monitored mcpreel, with a client that talks through it. */
class Run {
  name;
  folder;
  watched;
  calls = 0;
  problem;
  #talkOnce;
  #end;

  /** `talkOnce` makes some calls with the function it is given, each with a different text. */
  constructor(name, folder, pid, { talkOnce, end }) {
    this.name = name;
    this.folder = folder;
    this.watched = new WatchedProcess(name, pid, join(folder, 'delays'));
    this.#talkOnce = talkOnce;
    this.#end = end;
  }

  async talk(isOver) {
    const call = async (client) => {
      await client.echo(`soak ${this.calls++}`);
      await delay(PAUSE_MS);
    };
    try {
      while (!isOver()) await this.#talkOnce(call);
    } catch (error) {
      this.problem = `${this.name}, call ${this.calls}: ${error.stack}`;
    }
  }

  end() {
    return this.#end();
  }
}

const watching = (folder) => ({
  nodeFlags: preload('loop-delay.cjs'),
  env: { MCPREEL_DELAY_FILE: join(folder, 'delays') },
});

/** One session for the whole time. */
async function onStdio(parent) {
  const folder = folderFor(parent, 'stdio');
  const { nodeFlags, env } = watching(folder);
  const args = [...nodeFlags, mcpreel(), ...TRACE, '--', process.execPath, server('both-eras.mjs')];
  const options = { cwd: folder, env: { ...env, PATH: process.env.PATH ?? '', MCPREEL_HOME: join(folder, 'home') } };
  const client = await connectStdio(process.execPath, args, options, 'soak');
  return new Run('stdio', folder, client.pid, { talkOnce: (call) => call(client), end: () => client.leave() });
}

/** Many short sessions. */
const conversations = (url) => async (call) => {
  const client = await connectHttp(url, 'soak');
  for (let i = 0; i < 50; i++) await call(client);
  await client.leave();
};

async function overHttp(parent, target) {
  const folder = folderFor(parent, 'http');
  const { reel, url } = await Reel.listen(folder, [...TRACE, '--target-url', target], watching(folder));
  return new Run('http', folder, reel.pid, { talkOnce: conversations(url), end: () => reel.stop() });
}

async function acrossABridge(parent) {
  const folder = folderFor(parent, 'bridge');
  const flags = [...TRACE, '--listen-transport', 'streamable-http', '--', process.execPath, server('both-eras.mjs')];
  const { reel, url } = await Reel.listen(folder, flags, watching(folder));
  return new Run('bridge', folder, reel.pid, { talkOnce: conversations(url), end: () => reel.stop() });
}

/** An idle process, whose delays measure the machine's load. */
function startIdle(parent) {
  const folder = folderFor(parent, 'idle');
  const { nodeFlags, env } = watching(folder);
  const child = startNode([...nodeFlags, '-e', 'process.stdin.resume()'], { env });
  return { child, watched: new WatchedProcess('idle', child.pid, join(folder, 'delays')) };
}
