// Torture scenario: clients and servers stop reading for a while, on stdio and over HTTP.
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { longLines } from '../servers/long-lines.mjs';
import { StreamableTalk } from './support/http-talk.mjs';
import { Judgement } from './support/judgement.mjs';
import { readRecorded } from './support/recorded.mjs';
import { memoryOf, Reel } from './support/reel.mjs';
import { MAX_MEMORY, settled, stallClient, stallServer, Total } from './support/stalled-reader.mjs';
import { undoLater } from './support/undo.mjs';

const MEMORY = `memory stays below ${MAX_MEMORY / 1e6} MB`;
/** Over HTTP, copies of forwarded data wait to be recorded; the faster the data arrives, the more memory they take. */
const MAX_AT_FULL_SPEED = 300e6;
const MEMORY_AT_FULL_SPEED = `over HTTP it stays below ${MAX_AT_FULL_SPEED / 1e6} MB while all of it passes at once`;
const WHOLE = 'every byte arrives once they read again';
const RECORDED = 'every message is recorded, long ones by size and hash';
const LINE_BYTES = 100_000;
const MAX_MESSAGE = 1 << 20;

export const stalledPeers = {
  name: 'stalled-peers',
  injects: 'peers that do not read',
  sizes: { full: { megabytes: 500 }, quick: { megabytes: 50 }, least: { megabytes: 10 } },

  async run({ sizes: { megabytes }, folder }) {
    const judgement = new Judgement();
    const bytes = megabytes * 1e6;
    for (const stall of [stallClient, stallServer]) {
      // Lines that are recorded as gaps, and lines that are recorded.
      const long = await stall({ bytes, lineBytes: 8e6, maxMessage: '1M' });
      judgeStdio(long, bytes, judgement);
      const short = await stall({ bytes: bytes / 5, lineBytes: LINE_BYTES, maxMessage: '1M' });
      judgeStdio(short, bytes / 5, judgement);
    }
    await overHttp(folder, bytes / 2, judgement);
    return judgement.outcome(
      `a client, a server, an HTTP client and an HTTP server that read nothing of ${megabytes} MB until nothing moves`,
    );
  },
};

function judgeStdio({ status, sent, received, lines, trace, takenWhileStalled, peakMemory = 0 }, bytes, judgement) {
  judgement.claim(WHOLE, sent.sha256 === received.sha256 && status === 0, `exit ${status}`);
  judgement.claim(MEMORY, peakMemory < MAX_MEMORY, `${peakMemory / 1e6} MB`);
  judgement.claim(
    'who speaks is made to wait',
    takenWhileStalled < bytes / 2,
    `${takenWhileStalled} of ${bytes} bytes`,
  );
  const [long, short] = [
    lines.filter(({ size }) => size > MAX_MESSAGE),
    lines.filter(({ size }) => size <= MAX_MESSAGE),
  ];
  const gaps = trace.filter(({ kind }) => kind === 'mcpreel.gap').map(({ raw }) => `${raw.size} ${raw.sha256}`);
  const areRight = long.map(({ size, sha256 }) => `${size} ${sha256}`).join() === gaps.join();
  judgement.claim(RECORDED, areRight, `${gaps.length} of ${long.length} long lines`);
  // The client also asks for the server's progress.
  const recorded = trace.filter(({ type, raw }) => type === undefined && /^(first|line|last)$/.test(raw.method)).length;
  judgement.claim(RECORDED, recorded === short.length, `${recorded} of ${short.length} short lines`);
  judgement.lose(Math.max(0, lines.length - recorded - gaps.length));
}

async function overHttp(folder, bytes, judgement) {
  const target = await openStalling(bytes);
  try {
    const flags = ['--trace-file', 'trace.jsonl', '--max-message', '1M'];
    const { reel, url } = await Reel.listen(folder, [...flags, '--target-url', target.url]);
    await stallsWhileOthersGoOn(url, target, reel, judgement);
    await target.isTold(url, reel, judgement);
    const { code } = await reel.stop();
    judgement.claim('it ends as ever', code === 0, `exit ${code}`);
    const { messages } = await readRecorded(join(folder, 'trace.jsonl'));
    const lines = messages.filter(({ text }) => text.includes('"method":"line"')).length;
    judgement.claim(RECORDED, lines === target.lines, `${lines} of ${target.lines} events`);
    judgement.lose(Math.max(0, target.lines - lines));
  } finally {
    target.close();
  }
}

/** A client requests a long stream and does not read it, while another talks to the same server. */
async function stallsWhileOthersGoOn(url, target, reel, judgement) {
  const asked = request(url, { agent: false, headers: { Accept: 'text/event-stream' } });
  asked.end();
  const [stream] = await once(asked, 'response');
  await settled(async () => target.taken);
  judgement.claim(MEMORY, memoryOf(reel.pid) < MAX_MEMORY, `${memoryOf(reel.pid) / 1e6} MB`);
  const answers = [];
  const other = new StreamableTalk(url, (text) => answers.push(text));
  for (let id = 1; id <= 20; id++) await other.say(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
  other.close();
  judgement.claim('others go on meanwhile', answers.length === 20, `${answers.length} of 20 answers`);
  const heard = new Total();
  for await (const chunk of stream) heard.push(chunk);
  judgement.claim(WHOLE, heard.all().sha256 === target.told.all().sha256);
  judgeFullSpeed(reel, judgement);
}

function judgeFullSpeed(reel, judgement) {
  const peak = memoryOf(reel.pid, 'VmHWM');
  judgement.claim(MEMORY_AT_FULL_SPEED, peak < MAX_AT_FULL_SPEED, `${peak / 1e6} MB`);
}

/** A server that writes a long stream, and reads no POST body until the test reports it. */
async function openStalling(bytes) {
  const target = { taken: 0, lines: 0, told: new Total() };
  let read = () => {};
  const serve = async (asked, response) => {
    if (asked.method === 'GET') {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      for (const event of eventsOf(bytes)) {
        target.lines++;
        target.told.push(event);
        if (!response.write(event)) await once(response, 'drain');
        target.taken += event.length;
      }
      response.end();
      return;
    }
    if (Number(asked.headers['content-length']) > 1e6) await new Promise((resolve) => (read = resolve));
    const heard = new Total();
    for await (const chunk of asked) heard.push(chunk);
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: heard.all() }));
  };
  const server = createServer((asked, response) => void serve(asked, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  target.url = `http://127.0.0.1:${server.address().port}/mcp`;
  target.close = undoLater(() => {
    server.close();
    server.closeAllConnections();
  });
  target.isTold = async (url, reel, judgement) => {
    const body = Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","id":1,"method":"'),
      Buffer.alloc(bytes, 'x'),
      Buffer.from('"}'),
    ]);
    const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length };
    const asked = request(url, { agent: false, method: 'POST', headers });
    asked.end(body);
    await settled(async () => asked.socket?.bytesWritten ?? 0);
    judgeFullSpeed(reel, judgement);
    read();
    const [answer] = await once(asked, 'response');
    let text = '';
    for await (const chunk of answer) text += chunk;
    const told = new Total();
    told.push(body);
    judgement.claim(WHOLE, JSON.parse(text).result.sha256 === told.all().sha256, text);
  };
  return target;
}

/** Each line is an event of its own. */
function* eventsOf(bytes) {
  let line = '';
  for (const piece of longLines(bytes, LINE_BYTES)) {
    line += piece;
    if (!line.endsWith('\n') || !line.includes('"line"')) {
      if (line.endsWith('\n')) line = '';
      continue;
    }
    yield Buffer.from(`data: ${line}\n`);
    line = '';
  }
}
