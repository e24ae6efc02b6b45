// Torture scenario: one direction of a connection ends before the other, on stdio and over HTTP.
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { messageText } from './support/echo-talk.mjs';
import { Judgement } from './support/judgement.mjs';
import { between } from './support/random.mjs';
import { compareInOrder, readRecorded, textsOf } from './support/recorded.mjs';
import { Reel, server } from './support/reel.mjs';
import { undoLater } from './support/undo.mjs';

const ARRIVES = 'the other direction goes on to its end';
const SEEN = 'each end is seen as without mcpreel';
const RECORDED = 'everything is recorded';

export const halfCloses = {
  name: 'half-closes',
  injects: 'one direction that ends before the other',
  sizes: { full: { rounds: 50 }, quick: { rounds: 6 }, least: { rounds: 1 } },

  async run({ sizes: { rounds }, folder, random }) {
    const judgement = new Judgement();
    for (let round = 0; round < rounds; round++) {
      const count = between(random, 1, 200);
      await clientEndsFirst(mkdtempSync(join(folder, 'client-')), count, judgement);
      await serverEndsFirst(mkdtempSync(join(folder, 'server-')), count, judgement);
    }
    await overHttp(folder, rounds, judgement);
    const each = `${rounds}× each`;
    return judgement.outcome(
      `stdin ended before the answers, stdout closed before the requests, answers over HTTP that end with the connection, clients that end their half (${each})`,
    );
  },
};

function start(folder, which) {
  const reel = new Reel(folder, [
    '--trace-file',
    'trace.jsonl',
    '--',
    process.execPath,
    server('half-closing.mjs'),
    which,
  ]);
  let heard = '';
  reel.child.stdout.setEncoding('utf8');
  reel.child.stdout.on('data', (chunk) => {
    heard += chunk;
  });
  return { reel, heard: () => heard };
}

const numbered = (count) => Array.from({ length: count }, (_, number) => messageText(number));

/** All responses come after the end of the input. */
async function clientEndsFirst(folder, count, judgement) {
  const { reel, heard } = start(folder, 'output');
  const texts = numbered(count);
  reel.child.stdin.end(`${texts.join('\n')}\n`);
  const { code, stderr } = await reel.ended;
  judgement.claim(ARRIVES, heard() === `${texts.join('\n')}\n`, `${heard().length} bytes`);
  judgement.claim(SEEN, code === 0 && stderr === '', `exit ${code} ${stderr}`);
  const recorded = await readRecorded(join(folder, 'trace.jsonl'));
  for (const dir of ['in', 'out']) judgement.compared(RECORDED, compareInOrder(textsOf(recorded, dir), texts));
}

/** All requests come after the end of the output. */
async function serverEndsFirst(folder, count, judgement) {
  const { reel, heard } = start(folder, 'input');
  const texts = numbered(count);
  await once(reel.child.stdout, 'end');
  reel.child.stdin.end(`${texts.join('\n')}\n`);
  const { code, stderr } = await reel.ended;
  judgement.claim(ARRIVES, stderr === `${count} heard\n`, stderr);
  judgement.claim(SEEN, code === 0 && heard().endsWith('"last words"}\n'), `exit ${code}`);
  const recorded = await readRecorded(join(folder, 'trace.jsonl'));
  judgement.compared(RECORDED, compareInOrder(textsOf(recorded, 'in'), texts));
  judgement.compared(RECORDED, compareInOrder(textsOf(recorded, 'out'), [heard().trim()]));
}

/**
 * The server's responses end with the connection; every other client half-closes as soon as it has sent its request.
 */
async function overHttp(folder, rounds, judgement) {
  const target = await openEnding();
  try {
    const { reel, url } = await Reel.listen(folder, ['--trace-file', 'http.jsonl', '--target-url', target.url]);
    const asked = [];
    const answers = [];
    for (let id = 1; id <= 2 * rounds; id++) {
      const text = `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;
      const endsFirst = id % 2 === 0;
      asked.push(text);
      const answer = await ask(url, text, endsFirst);
      if (!endsFirst) answers.push(answer);
    }
    const { code } = await reel.stop();
    judgement.claim(SEEN, code === 0, `exit ${code}`);
    judgement.claim(ARRIVES, answers.join() === target.said.filter((text) => answers.includes(text)).join(), 'answers');
    judgement.claim(ARRIVES, answers.every((text) => text.includes('"result"')) && answers.length === rounds);
    const recorded = await readRecorded(join(folder, 'http.jsonl'));
    // A client that half-closes has disconnected, as in Node's own servers: its request may not reach the target.
    judgement.compared(RECORDED, compareInOrder(textsOf(recorded, 'in').filter(isOdd), asked.filter(isOdd)));
    judgement.compared(RECORDED, compareInOrder(textsOf(recorded, 'out').filter(isOdd), answers));
    const exchanges = recorded.events.filter(({ kind }) => kind === 'http.exchange').length;
    judgement.claim(RECORDED, exchanges === 2 * rounds, `${exchanges} of ${2 * rounds} exchanges`);
  } finally {
    target.close();
  }
}

const isOdd = (text) => JSON.parse(text).id % 2 === 1;

/** Sends a request on a new connection. Resolves with the response body, as far as it arrived. */
async function ask(url, text, endsFirst) {
  const { port, host } = new URL(url);
  const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
  const request = `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
  let answer = '';
  socket.setEncoding('utf8');
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  if (endsFirst) socket.end(request);
  else socket.write(request);
  await Promise.race([once(socket, 'end'), once(socket, 'close')]).catch(() => {});
  socket.destroy();
  return /\{.*\}/s.exec(answer.slice(answer.indexOf('\r\n\r\n')))?.[0] ?? '';
}

/** A server whose responses have no length: they end with the connection. */
async function openEnding() {
  const target = { said: [] };
  const listener = createServer({ allowHalfOpen: true }, (socket) => {
    let request = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      request += chunk;
      const [, text] = /\r\n\r\n(\{.*\})$/s.exec(request) ?? [];
      if (text === undefined) return;
      request = '';
      const answer = `{"jsonrpc":"2.0","id":${JSON.parse(text).id},"result":{}}`;
      target.said.push(answer);
      socket.end(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n${answer}`);
    });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  target.url = `http://127.0.0.1:${listener.address().port}/mcp`;
  target.close = undoLater(() => listener.close());
  return target;
}
