// The transports from a client through mcpreel to a server, for sessions that are killed.
import { join } from 'node:path';
import { SseTalk, StreamableTalk } from './http-talk.mjs';
import { openSseTarget, openStreamableTarget } from './http-target.mjs';
import { Reel } from './reel.mjs';
import { Reports } from './remembered.mjs';

const LISTEN = ['proxy', 'start', '--headless', '--listen-port', '0'];
const OPENING =
  '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"torture","version":"1"},"text":""}}';

/** Connects a client over stdio. */
class StdioWay {
  reel;
  #rest = '';

  constructor(reel, onText) {
    this.reel = reel;
    reel.child.stdout.setEncoding('utf8');
    reel.child.stdout.on('data', (chunk) => {
      const lines = (this.#rest + chunk).split('\n');
      this.#rest = lines.pop();
      for (const line of lines) onText(line);
    });
  }

  connect() {
    return Promise.resolve();
  }

  async say(text) {
    this.reel.child.stdin.write(`${text}\n`);
  }

  disconnect() {}
}

/** Connects a client over HTTP. */
class HttpWay {
  reel;
  #connect;
  #talk;

  constructor(reel, connect) {
    this.reel = reel;
    this.#connect = connect;
  }

  async connect() {
    const [, url] = await this.reel.noted(/^mcpreel: Listening on (\S+)/m);
    this.#talk = await this.#connect(url);
  }

  async say(text) {
    await this.#talk.say(text);
  }

  disconnect() {
    this.#talk?.close();
  }
}

const connectStreamable = (onText, onSent) => async (url) => {
  const talk = new StreamableTalk(url, onText, Number.POSITIVE_INFINITY);
  onSent(OPENING);
  await talk.initialize(OPENING);
  return talk;
};

const connectSse = (onText) => async (url) => {
  const talk = new SseTalk(url, onText, Number.POSITIVE_INFINITY);
  await talk.open();
  // The stream ends when mcpreel is killed.
  talk.over.catch(() => {});
  return talk;
};

/** A stdio server, which reports its messages when its stdin has ended. */
async function program(folder) {
  const reports = await Reports.open(join(folder, 'socket'));
  return {
    flags: ['--', ...reports.command],
    known: () => reports.first(),
    close: () => reports.close(),
  };
}

/** An HTTP server in this process. */
function overHttp(open, transport) {
  return async () => {
    const target = await open();
    return {
      flags: ['--transport', transport, '--target-url', target.url],
      known: async () => ({ heard: target.heard, said: target.said }),
      close: () => target.close(),
    };
  };
}

const streamable = overHttp(openStreamableTarget, 'streamable-http');
const sse = overHttp(openSseTarget, 'sse');

/** Each starts a server, and a client once mcpreel runs with the given flags. */
export const WAYS = {
  stdio: {
    target: program,
    start: (folder, flags, { onText }) => new StdioWay(new Reel(folder, flags), onText),
  },
  'streamable-http': {
    target: streamable,
    start: (folder, flags, { onText, onSent }) =>
      new HttpWay(new Reel(folder, [...LISTEN, ...flags]), connectStreamable(onText, onSent)),
  },
  sse: {
    target: sse,
    start: (folder, flags, { onText }) => new HttpWay(new Reel(folder, [...LISTEN, ...flags]), connectSse(onText)),
  },
  'http to stdio': {
    target: program,
    start: (folder, flags, { onText, onSent }) =>
      new HttpWay(
        new Reel(folder, [...LISTEN, '--listen-transport', 'streamable-http', ...flags]),
        connectStreamable(onText, onSent),
      ),
  },
  'stdio to http': {
    target: streamable,
    start: (folder, flags, { onText }) =>
      new StdioWay(new Reel(folder, ['proxy', 'start', '--headless', '--listen-transport', 'stdio', ...flags]), onText),
  },
};
