// Torture scenario: hundreds of clients share one listener, raw ones and SDK v2 ones, all with the same request ids.
import { join } from 'node:path';
import { StreamableTalk } from './support/http-talk.mjs';
import { Judgement } from './support/judgement.mjs';
import { compareConversations, readRecorded } from './support/recorded.mjs';
import { Reel } from './support/reel.mjs';
import { connectHttp } from './support/sdk-clients.mjs';
import { startSdkServer } from './support/sdk-server.mjs';

/** One client in this many is an SDK client. */
const SDK_EVERY = 10;

export const manyConversations = {
  name: 'many-conversations',
  injects: 'hundreds of conversations at once',
  sizes: {
    full: { clients: 500, calls: 20 },
    quick: { clients: 500, calls: 4 },
    least: { clients: 40, calls: 3 },
  },

  async run({ sizes: { clients, calls }, folder, note }) {
    const judgement = new Judgement();
    const target = await startSdkServer(folder);
    const { reel, url } = await Reel.listen(folder, ['--trace-file', 'trace.jsonl', '--target-url', target.url]);
    const all = Array.from({ length: clients }, (_, number) =>
      number % SDK_EVERY === 0 ? new SdkClient(url, number) : new BareClient(url, number),
    );
    await Promise.all(all.map((client) => client.open()));
    note(`${all.length} conversations are open`);
    await Promise.all(all.map((client) => client.call(calls)));
    await Promise.all(all.map((client) => client.leave()));
    const { code } = await reel.stop();
    await target.close();
    const wrong = all.filter((client) => !client.isRight);
    judgement.claim(
      'every client gets its own answers',
      code === 0 && wrong.length === 0,
      `${wrong.length} clients, exit ${code}`,
    );
    const recorded = await readRecorded(join(folder, 'trace.jsonl'));
    judgement.compared(
      'each conversation is recorded whole and as one, none with words of another',
      compareConversations(recorded, all),
    );
    return judgement.outcome(`${clients} conversations at once (one in ${SDK_EVERY} of SDK v2), ${calls} calls each`, {
      figures: { messages: recorded.messages.length },
    });
  },
};

/** A raw client that records exactly what it sent and received. */
class BareClient {
  name;
  sent = [];
  received = [];
  isRight = true;
  #talk;

  constructor(url, number) {
    this.name = `bare client ${number}`;
    this.#talk = new StreamableTalk(url, (text) => this.received.push(text));
  }

  async open() {
    const params = `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"${this.name}","version":"1"}}`;
    await this.#talk.initialize(this.#note(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":${params}}`));
    await this.#talk.say(this.#note('{"jsonrpc":"2.0","method":"notifications/initialized"}'));
  }

  async call(count) {
    for (let id = 1; id <= count; id++) {
      const text = `${this.name}, call ${id}`;
      const params = `{"name":"echo","arguments":{"text":"${text}"}}`;
      await this.#talk.say(this.#note(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}`));
      if (!this.received.at(-1)?.includes(text)) this.isRight = false;
    }
  }

  async leave() {
    await this.#talk.leave();
    this.#talk.close();
  }

  #note(text) {
    this.sent.push(text);
    return text;
  }
}

/** An SDK client that records what it sent. */
class SdkClient {
  name;
  sent = [];
  isRight = true;
  #url;
  #client;

  constructor(url, number) {
    this.name = `SDK client ${number}`;
    this.#url = url;
  }

  async open() {
    this.#client = await connectHttp(this.#url, this.name);
    this.sent = this.#client.sent;
  }

  async call(count) {
    try {
      for (let number = 1; number <= count; number++) await this.#client.echo(`${this.name}, call ${number}`);
    } catch {
      this.isRight = false;
    }
  }

  async leave() {
    await this.#client.leave();
  }
}
