// Torture scenario: every byte arrives separately, in both directions, on stdio and over HTTP, including request heads
// and stream chunks.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { Judgement } from './support/judgement.mjs';
import { between } from './support/random.mjs';
import { compareInOrder, readRecorded, textsOf } from './support/recorded.mjs';
import { Reel, server } from './support/reel.mjs';
import { undoLater } from './support/undo.mjs';

const PASSED = 'the same bytes come out';
const RECORDED = 'every message is recorded as it was';

export const oneByteChunks = {
  name: 'one-byte-chunks',
  injects: 'everything in pieces of one byte',
  sizes: { full: { messages: 1000 }, quick: { messages: 100 }, least: { messages: 15 } },

  async run({ sizes: { messages }, folder, random }) {
    const judgement = new Judgement();
    const texts = Array.from({ length: messages }, (_, id) => textOf(id, random));
    await onStdio(folder, texts, judgement);
    await overHttp(folder, texts, judgement);
    const bytes = Buffer.byteLength(texts.join(''));
    return judgement.outcome(`${messages} messages (${bytes} bytes) byte by byte both ways, on stdio and over HTTP`);
  },
};

function textOf(id, random) {
  const filling = JSON.stringify('aé€😀"\\'.repeat(between(random, 0, 8)));
  return `{"jsonrpc":"2.0","id":${id + 1},"method":"tools/call","params":{"n":1.0,"text":${filling}}}`;
}

async function trickle(stream, text) {
  for (const byte of Buffer.from(text)) await new Promise((resolve) => stream.write(Uint8Array.of(byte), resolve));
}

async function onStdio(folder, texts, judgement) {
  const command = [process.execPath, server('mirror.mjs'), '1'];
  const reel = new Reel(folder, ['--trace-file', 'stdio.jsonl', '--', ...command], { keepsStderr: false });
  const heard = [];
  reel.child.stdout.on('data', (chunk) => heard.push(chunk));
  reel.child.stderr.resume();
  const said = `${texts.join('\n')}\n`;
  await trickle(reel.child.stdin, said);
  reel.child.stdin.end();
  const { code } = await reel.ended;
  judgement.claim(PASSED, Buffer.concat(heard).toString() === said && code === 0, `exit ${code}`);
  const recorded = await readRecorded(join(folder, 'stdio.jsonl'));
  for (const dir of ['in', 'out']) judgement.compared(RECORDED, compareInOrder(textsOf(recorded, dir), texts));
}

async function overHttp(folder, texts, judgement) {
  const target = await openTrickling();
  try {
    const { reel, url } = await Reel.listen(folder, ['--trace-file', 'http.jsonl', '--target-url', target.url]);
    const { port, host } = new URL(url);
    const client = new RawEnd(connect(Number(port), '127.0.0.1'));
    const answers = [];
    for (const text of texts) {
      const head = `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n`;
      await trickle(client.socket, head + text);
      answers.push(await client.answer());
    }
    client.socket.destroy();
    const { code } = await reel.stop();
    const right = answers.every(
      (answer, index) => answer === texts[index].replace('"method":"tools/call","params"', '"result"'),
    );
    judgement.claim(PASSED, right && code === 0 && target.heard.join() === texts.join(), `exit ${code}`);
    const recorded = await readRecorded(join(folder, 'http.jsonl'));
    judgement.compared(RECORDED, compareInOrder(textsOf(recorded, 'in'), texts));
    judgement.compared(RECORDED, compareInOrder(textsOf(recorded, 'out'), answers));
  } finally {
    target.close();
  }
}

/** One end of a connection with minimal HTTP support. */
class RawEnd {
  socket;
  #text = Buffer.alloc(0);
  #onMore = () => {};
  #onClosed = () => {};

  constructor(socket) {
    this.socket = socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.once('close', () => this.#onClosed());
    socket.on('data', (chunk) => {
      this.#text = Buffer.concat([this.#text, chunk]);
      this.#onMore();
    });
  }

  /** The body of the next request. */
  async request() {
    const head = await this.#until('\r\n\r\n');
    return this.#take(Number(/content-length: *(\d+)/i.exec(head)[1]));
  }

  /** The text of the next response, which is JSON of a known length or a chunked stream. */
  async answer() {
    const head = await this.#until('\r\n\r\n');
    const length = /content-length: *(\d+)/i.exec(head)?.[1];
    if (length !== undefined) return this.#take(Number(length));
    let stream = '';
    for (;;) {
      const size = Number.parseInt(await this.#until('\r\n'), 16);
      stream += (await this.#take(size, 'latin1')) + (await this.#take(2)).trim();
      if (size === 0) return /^data: (.*)$/m.exec(Buffer.from(stream, 'latin1').toString())[1];
    }
  }

  async #until(end) {
    for (;;) {
      const at = this.#text.indexOf(end);
      if (at >= 0) return this.#take(at + end.length);
      await this.#more();
    }
  }

  async #take(size, encoding = 'utf8') {
    while (this.#text.length < size) await this.#more();
    const taken = this.#text.subarray(0, size).toString(encoding);
    this.#text = this.#text.subarray(size);
    return taken;
  }

  #more() {
    return new Promise((resolve, reject) => {
      this.#onMore = resolve;
      this.#onClosed = () => reject(new Error('The connection was closed.'));
    });
  }
}

/** A server that echoes byte by byte: every other response is a stream with one-byte chunks. */
async function openTrickling() {
  const target = { heard: [] };
  const serve = async (socket) => {
    const end = new RawEnd(socket);
    try {
      for (;;) {
        const text = await end.request();
        target.heard.push(text);
        await trickle(socket, answerTo(text, target.heard.length % 2 === 0));
      }
    } catch {
      // The connection has ended.
    }
  };
  const listener = createServer((socket) => void serve(socket));
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  target.url = `http://127.0.0.1:${listener.address().port}/mcp`;
  target.close = undoLater(() => listener.close());
  return target;
}

function answerTo(text, isStream) {
  const answer = text.replace('"method":"tools/call","params"', '"result"');
  if (!isStream) {
    return `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(answer)}\r\n\r\n${answer}`;
  }
  // One character per byte, so that each can be a chunk.
  const bytes = [...Buffer.from(`event: message\ndata: ${answer}\n\n`)];
  const chunks = Buffer.concat(
    bytes.map((byte) => Buffer.concat([Buffer.from('1\r\n'), Uint8Array.of(byte), Buffer.from('\r\n')])),
  );
  return Buffer.concat([
    Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n'),
    chunks,
    Buffer.from('0\r\n\r\n'),
  ]);
}
