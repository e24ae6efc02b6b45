// A stdio client that keeps several requests in flight through mcpreel until it kills mcpreel.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Reel } from './reel.mjs';
import { Reports } from './remembered.mjs';

/** The complete session file of an earlier session. */
export const OLDER = `${JSON.stringify({ id: 'older', messages: [], metadata: { filler: 'x'.repeat(5000) } })}\n`;

/** What must not be in any file. */
export const SECRET = `ghp_${'aB3dE6gH9jK2mN5pQ8sT'.repeat(2).slice(0, 36)}`;

/** The messages of the client and the server in a session that ended with a SIGKILL of mcpreel. */
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
    client.onCount(killAfter, () => reel.kill(spinMs));
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
  #requests = 0;
  #rest = '';
  #plan;
  #write;
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
      this.#request();
    } else {
      this.#send(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{}}`);
    }
    for (const { count, act } of this.#acts) if (this.received.length === count) act();
  }

  #request() {
    const { random } = this.#plan;
    const id = this.#requests++;
    const length = random() < 0.05 ? 8000 : Math.floor(random() * 60);
    const text = 'é"\\ '.repeat(length / 4);
    const token = random() < 0.1 ? `,"token":"${SECRET}"` : '';
    const params = `{"n":1.0,"text":${JSON.stringify(text)}${token}}`;
    this.#send(`{"jsonrpc":"2.0", "id":${id},"method":"tools/call","params":${params}}`);
  }

  #send(line) {
    this.sent.push(line);
    this.#write(line);
  }
}
