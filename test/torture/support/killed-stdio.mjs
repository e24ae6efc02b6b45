// A client that talks to a server through mcpreel, with several requests in flight, until it kills mcpreel.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Reel } from './reel.mjs';
import { Reports } from './remembered.mjs';
import { Strain } from './strain.mjs';

/** The complete session file of an earlier session. */
export const OLDER = `${JSON.stringify({ id: 'older', messages: [], metadata: { filler: 'x'.repeat(5000) } })}\n`;

/** What the client and the server know of a conversation that ended with a SIGKILL for mcpreel. */
export async function converseUntilKilled(plan) {
  const { folder, rotates, saves, killAfter, spinMs } = plan;
  const flags = ['--trace-file', 'trace.jsonl'];
  if (rotates) flags.push('--max-bytes', '20k');
  if (saves) {
    flags.push('--session-file', 'session.json', '--save-every', '0.05');
    writeFileSync(join(folder, 'session.json'), OLDER);
  }
  const reports = await Reports.open(join(folder, 'socket'));
  const reel = new Reel(folder, [...flags, '--', ...reports.command]);
  const { child } = reel;
  try {
    const client = new Client(plan, (line) => child.stdin.write(`${line}\n`));
    let strain;
    client.onCount(1, () => {
      strain = new Strain(reel.pid);
    });
    client.onCount(killAfter, () => {
      client.strainMs = strain.ms;
      strain.stop();
      reel.kill(spinMs);
    });
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (text) => client.take(text));
    client.begin();
    const { signal, stderr } = await reel.ended;
    if (signal !== 'SIGKILL') throw new Error(`mcpreel ended before it was killed: ${stderr}`);
    return { client, server: await reports.first(), stderr };
  } finally {
    child.kill('SIGKILL');
    reports.close();
  }
}

/** Keeps an exact log of what it sends and receives, and of what must be recorded by now. */
class Client {
  sent = [];
  received = [];
  /** How many messages of each direction were read by mcpreel in an earlier turn than the last. */
  settled = { sent: 0, received: 0 };
  #settledOnce = new Map();
  #answered = 0;
  #requests = 0;
  #rest = '';
  #plan;
  #write;
  /** For how long the machine did other things, in milliseconds. */
  strainMs = 0;
  #acts = [];

  constructor(plan, write) {
    this.#plan = plan;
    this.#write = write;
  }

  onCount(count, act) {
    this.#acts.push({ count, act });
  }

  begin() {
    for (let i = 0; i < this.#plan.inFlight; i++) this.#request();
  }

  take(text) {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop();
    for (const line of lines) this.#hear(line);
  }

  #hear(line) {
    this.received.push(line);
    const { id, method } = JSON.parse(line);
    if (method === undefined) {
      const { settled, place } = this.#settledOnce.get(id);
      this.settled = settled;
      this.#answered = Math.max(this.#answered, place);
      this.#request();
    } else {
      this.#send(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{}}`);
    }
    for (const { count, act } of this.#acts) if (this.received.length === count) act();
  }

  /**
   * In one turn of its event loop mcpreel reads each stream once, passes on what it read, and then records all of it. A
   * request that is sent after an answer came may still be read in the turn that passed this answer on; but the answer
   * to that request is read from the server's stream again, which is another turn. So when it comes, everything that the
   * client had received before it sent the request is recorded, and every request that was answered by then.
   *
   * (A write to the trace that takes more than 50 ms would change that: it makes later ones happen in the background. So
   * it is not asked for where the machine was busy with other things for as long.)
   */
  #request() {
    const { random } = this.#plan;
    const id = this.#requests++;
    const length = random() < 0.05 ? 8000 : Math.floor(random() * 60);
    const text = 'é"\\ '.repeat(length / 4);
    const settled = { sent: this.#answered, received: this.received.length };
    this.#send(`{"jsonrpc":"2.0", "id":${id},"method":"tools/call","params":{"n":1.0,"text":${JSON.stringify(text)}}}`);
    this.#settledOnce.set(id, { settled, place: this.sent.length });
  }

  #send(line) {
    this.sent.push(line);
    this.#write(line);
  }
}
