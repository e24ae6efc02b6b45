// Torture scenario: clients and servers reset connections at every stage, and server processes die, while others
// continue.
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { Judgement } from './support/judgement.mjs';
import { compareAsSets, readRecorded, textsOf } from './support/recorded.mjs';
import { Reel, server } from './support/reel.mjs';
import { undoLater } from './support/undo.mjs';

const UNDISTURBED = 'all others are answered meanwhile';
const TOLD = 'each broken exchange is recorded with what went wrong';
const RECORDED = 'what had passed is recorded';
const STATUS = 'a server that dies passes its status on';

/** When the client or the server resets its connection. */
const STAGES = [
  'client in its request',
  'client before the answer',
  'client in a stream',
  'server before its answer',
  'server in its answer',
  'server in a stream',
];

export const resets = {
  name: 'resets',
  injects: 'reset connections and dying servers',
  sizes: { full: { rounds: 100 }, quick: { rounds: 10 }, least: { rounds: 2 } },

  async run({ sizes: { rounds }, folder }) {
    const judgement = new Judgement();
    await overHttp(folder, rounds, judgement);
    const deaths = Math.ceil(rounds / 5);
    for (let round = 0; round < deaths; round++) await dies(mkdtempSync(join(folder, 'dies-')), round, judgement);
    return judgement.outcome(
      `${rounds}× each: a reset by the ${STAGES.join(', by the ')}; ${deaths} servers on stdio that die in a line`,
    );
  },
};

async function overHttp(folder, rounds, judgement) {
  const target = await openBreaking();
  try {
    const { reel, url } = await Reel.listen(folder, ['--trace-file', 'http.jsonl', '--target-url', target.url]);
    const steady = new Steady(url);
    const over = steady.talk();
    const broken = [];
    for (let round = 0; round < rounds; round++) {
      for (const stage of STAGES) {
        const text = `{"jsonrpc":"2.0","id":"broken-${broken.length}","method":"${stage}"}`;
        broken.push(text);
        await breakOff(url, stage, text);
      }
    }
    steady.stop();
    await over;
    const { code } = await reel.stop();
    judgement.claim(UNDISTURBED, steady.isRight && code === 0, `exit ${code}, ${steady.wrong}`);
    judge(await readRecorded(join(folder, 'http.jsonl')), { target, steady, broken }, judgement);
  } finally {
    target.close();
  }
}

function judge(recorded, { target, steady, broken }, judgement) {
  const { messages } = recorded;
  const texts = (dir) => textsOf({ messages: messages.filter(({ injected }) => !injected) }, dir);
  const heard = compareAsSets(texts('in'), [...broken, ...steady.sent]);
  const said = compareAsSets(texts('out'), [...target.said, ...steady.received]);
  judgement.claim(RECORDED, heard.faults.length + said.faults.length === 0, heard.faults[0] ?? said.faults[0]);
  // The server's last data may not have reached mcpreel: a reset discards data in flight.
  judgement.lose(
    compareAsSets(texts('in'), steady.sent).missing + compareAsSets(texts('out'), steady.received).missing,
  );
  const exchanges = recorded.events.filter(({ kind }) => kind === 'http.exchange');
  const failed = exchanges.filter(({ raw }) => raw.error !== null);
  judgement.claim(TOLD, failed.length === broken.length, `${failed.length} of ${broken.length} broken exchanges`);
  judgement.claim(TOLD, exchanges.length === broken.length + steady.sent.length, `${exchanges.length} exchanges`);
}

/** Makes an exchange that is cut off at this stage, and resolves when it has ended. */
async function breakOff(url, stage, text) {
  const { port, host } = new URL(url);
  const head = `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n`;
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => {});
  const closed = once(socket, 'close');
  await once(socket, 'connect');
  if (stage === 'client in its request')
    socket.write(head + text.slice(0, 20), () => setImmediate(() => socket.resetAndDestroy()));
  else {
    socket.write(head + text);
    if (stage === 'client before the answer') setTimeout(() => socket.resetAndDestroy(), 10);
    else {
      socket.on('data', () => stage.startsWith('client') && socket.resetAndDestroy());
      // A 502 in place of a response does not end the connection.
      if (stage === 'server before its answer') socket.once('data', () => socket.end());
    }
  }
  await closed;
}

/** A client that sends one request after the other. */
class Steady {
  sent = [];
  received = [];
  wrong = '';
  #url;
  #isOver = false;

  constructor(url) {
    this.#url = url;
  }

  get isRight() {
    return this.wrong === '' && this.received.length === this.sent.length && this.sent.length > 0;
  }

  async talk() {
    for (let id = 1; !this.#isOver; id++) {
      const body = `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;
      this.sent.push(body);
      try {
        const response = await fetch(this.#url, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body,
        });
        const text = await response.text();
        if (response.status !== 200 || JSON.parse(text).id !== id) this.wrong = `${response.status} ${text}`;
        this.received.push(text);
      } catch (error) {
        this.wrong = String(error.cause ?? error);
      }
    }
  }

  stop() {
    this.#isOver = true;
  }
}

/** A server that answers pings, and is cut off where the method reports it. */
async function openBreaking() {
  const target = { said: [] };
  const say = (text) => {
    target.said.push(text);
    return text;
  };
  const listener = createServer((socket) => {
    let request = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      request += chunk;
      const [, length] = /content-length: *(\d+)/i.exec(request) ?? [];
      const bodyAt = request.indexOf('\r\n\r\n') + 4;
      if (length === undefined || bodyAt < 4 || request.length < bodyAt + Number(length)) return;
      const { id, method } = JSON.parse(request.slice(bodyAt, bodyAt + Number(length)));
      request = request.slice(bodyAt + Number(length));
      answer(socket, id, method, say);
    });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  target.url = `http://127.0.0.1:${listener.address().port}/mcp`;
  target.close = undoLater(() => listener.close());
  return target;
}

function answer(socket, id, method, say) {
  const result = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{}}`;
  const json = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${result.length}\r\n\r\n`;
  const stream = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n';
  const progress = `data: ${`{"jsonrpc":"2.0","method":"notifications/message","params":{"data":${JSON.stringify(id)}}}`}\n\n`;
  const chunk = `${progress.length.toString(16)}\r\n${progress}\r\n`;
  const reset = () => socket.resetAndDestroy();
  if (method === 'ping') socket.write(json + result);
  else if (method === 'server before its answer') reset();
  else if (method === 'server in its answer') socket.write(json + result.slice(0, 20), () => setTimeout(reset, 10));
  else if (method.endsWith('in a stream')) {
    say(progress.slice('data: '.length).trim());
    socket.write(stream + chunk, () => method.startsWith('server') && setTimeout(reset, 10));
  }
}

/** A stdio server is killed in the middle of a line. */
async function dies(folder, round, judgement) {
  const whole = `{"jsonrpc":"2.0","method":"said ${round}"}`;
  const base64 = Buffer.from(`${whole}\n{"half`).toString('base64');
  const said = JSON.stringify({ out: base64, err: '', kill: 'SIGKILL' });
  const reel = new Reel(folder, ['--trace-file', 'trace.jsonl', '--', process.execPath, server('saying.mjs'), said]);
  let heard = '';
  reel.child.stdout.on('data', (chunk) => {
    heard += chunk;
  });
  const { code } = await reel.ended;
  judgement.claim(STATUS, code === 137 && heard === `${whole}\n{"half`, `exit ${code}, ${heard}`);
  const recorded = await readRecorded(join(folder, 'trace.jsonl'));
  judgement.claim(RECORDED, textsOf(recorded, 'out').join() === whole, textsOf(recorded, 'out').join());
}
