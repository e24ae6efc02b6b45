// Sends requests in several parallel lanes, each lane sequentially, over any transport until mcpreel is killed.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { between } from './random.mjs';
import { Strain } from './strain.mjs';
import { WAYS } from './ways.mjs';

/** The messages of the client and the server in a session that ended with a SIGKILL of mcpreel. */
export async function talkUntilKilled(plan) {
  const { folder, way: name } = plan;
  const target = await WAYS[name].target(folder);
  const lanes = new Lanes(plan);
  const flags = ['--trace-file', 'trace.jsonl', ...(plan.rotates ? ['--max-bytes', '20k'] : [])];
  const way = WAYS[name].start(folder, [...flags, ...target.flags], lanes);
  try {
    const isTimed = plan.killAtMs !== undefined;
    const hasServer = isTimed ? killAt(way.reel, plan.killAtMs) : Promise.resolve(true);
    await lanes.run(way);
    const { signal, stderr } = await way.reel.ended;
    if (signal !== 'SIGKILL') throw new Error(`mcpreel ended before it was killed: ${stderr}`);
    const isKnown = name === 'stdio' || name === 'http to stdio' ? await hasServer : true;
    const server = isKnown ? await target.known() : { heard: [], said: [] };
    return { lanes, server, stderr };
  } finally {
    way.reel.child.kill('SIGKILL');
    way.disconnect();
    target.close();
  }
}

/** Kills mcpreel at this time. Resolves with whether it had started a server. */
async function killAt(reel, atMs) {
  await delay(atMs);
  // mcpreel must do nothing between the check and the kill.
  reel.child.kill('SIGSTOP');
  while (reel.child.exitCode === null && !isStopped(reel.pid)) await delay(1);
  const hasServer = hasChildren(reel.pid);
  reel.child.kill('SIGKILL');
  return hasServer;
}

function isStopped(id) {
  return /^State:\s+T/m.test(readFileSync(`/proc/${id}/status`, 'utf8'));
}

function hasChildren(id) {
  return readdirSync(`/proc/${id}/task`).some(
    (task) => readFileSync(`/proc/${id}/task/${task}/children`, 'utf8').trim() !== '',
  );
}

/** Keeps an exact log of what is sent and received, and when. */
class Lanes {
  /** Every request with its lane and send time, and its response with the receive time. */
  calls = [];
  sent = [];
  received = [];
  /** How long the machine was busy with other processes, in ms. */
  strainMs = 0;
  #plan;
  #way;
  #strain;
  #waiting = new Map();
  #answers = 0;
  #isKilled = false;
  #onKilled;

  constructor(plan) {
    this.#plan = plan;
  }

  /** Talks until mcpreel is gone. */
  async run(way) {
    this.#way = way;
    const gone = new Promise((resolve) => {
      this.#onKilled = resolve;
      way.reel.ended.then(resolve);
    });
    try {
      await Promise.race([way.connect(), gone]);
    } catch {
      // mcpreel was killed before the client could connect; how it ended is checked elsewhere.
    }
    this.#strain = new Strain(way.reel.pid);
    for (let lane = 0; lane < this.#plan.inFlight; lane++) void this.#talk(lane);
    await gone;
    this.#isKilled = true;
    this.#strain.stop();
  }

  onSent = (text) => {
    this.sent.push(text);
  };

  onText = (text) => {
    this.received.push(text);
    const { id, method } = JSON.parse(text);
    if (method === undefined) this.#waiting.get(id)?.(text);
    else if (id !== undefined) this.#say(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{}}`);
  };

  async #talk(lane) {
    while (!this.#isKilled) {
      const call = { lane, sentAtMs: performance.now(), text: this.#request() };
      this.calls.push(call);
      call.answer = await new Promise((resolve) => {
        this.#waiting.set(JSON.parse(call.text).id, resolve);
        this.#say(call.text);
      });
      call.answeredAtMs = performance.now();
      this.strainMs = this.#strain.ms;
      this.#answers++;
      if (this.#answers === this.#plan.killAfter) this.#kill();
    }
  }

  #kill() {
    this.#way.reel.kill(this.#plan.spinMs);
    this.#onKilled();
  }

  #request() {
    const { random } = this.#plan;
    const text = 'é"\\ '.repeat(random() < 0.05 ? 2000 : between(random, 0, 15));
    return `{"jsonrpc":"2.0", "id":${this.calls.length + 1},"method":"tools/call","params":{"n":1.0,"text":${JSON.stringify(text)}}}`;
  }

  #say(text) {
    this.sent.push(text);
    // A killed mcpreel does not respond.
    this.#way.say(text).catch(() => {});
  }
}
