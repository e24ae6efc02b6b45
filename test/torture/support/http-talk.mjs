// Clients over HTTP that do as little as they can.
import { Agent, request } from 'node:http';
import { undoLater } from './undo.mjs';

const ACCEPT = 'application/json, text/event-stream';

/** Splits a stream of events, and tells the name and data of each. */
class EventSplitter {
  #rest = '';
  #onEvent;

  constructor(onEvent) {
    this.#onEvent = onEvent;
  }

  push(text) {
    const events = (this.#rest + text).split('\n\n');
    this.#rest = events.pop();
    for (const event of events) {
      const field = (name) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(event)?.[1];
      const data = field('data');
      if (data !== undefined) this.#onEvent({ event: field('event') ?? 'message', data });
    }
  }
}

/** One client: its connections are its own. */
class HttpTalk {
  close;
  #agent;

  constructor(connections) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
    this.close = undoLater(() => this.#agent.destroy());
  }

  /** Sends a request and tells each text that comes in the answer. Resolves with its head when all of it came. */
  send(url, { method = 'POST', headers = {}, body, onText = () => {}, onEvent = ({ data }) => onText(data) }) {
    return new Promise((resolve, reject) => {
      const asked = request(url, { agent: this.#agent, method, headers: { Accept: ACCEPT, ...headers } });
      asked.once('error', reject);
      asked.once('response', (answer) => {
        const isStream = answer.headers['content-type']?.startsWith('text/event-stream');
        const events = new EventSplitter(onEvent);
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk) => {
          if (isStream) events.push(chunk);
          else text += chunk;
        });
        answer.once('error', reject);
        answer.once('end', () => {
          if (!isStream && text.startsWith('{')) onText(text);
          resolve({ status: answer.statusCode, headers: answer.headers });
        });
      });
      asked.end(body);
    });
  }
}

/** A client of Streamable HTTP. What it is told is told to `onText`, in the exchange that it came in. */
export class StreamableTalk extends HttpTalk {
  #url;
  #session = {};
  #onText;

  constructor(url, onText, connections = 1) {
    super(connections);
    this.#url = url;
    this.#onText = onText;
  }

  /** Opens a conversation. */
  async initialize(text) {
    const { status, headers } = await this.say(text);
    if (status !== 200) throw new Error(`The conversation was refused: ${status}`);
    const id = headers['mcp-session-id'];
    if (id !== undefined) this.#session = { 'Mcp-Session-Id': id };
  }

  say(text) {
    const headers = { 'Content-Type': 'application/json', 'MCP-Protocol-Version': '2025-11-25', ...this.#session };
    return this.send(this.#url, { headers, body: text, onText: this.#onText });
  }

  /** Ends the conversation where the server knows of it. */
  leave() {
    return this.send(this.#url, { method: 'DELETE', headers: this.#session });
  }
}

/** A client of HTTP+SSE. */
export class SseTalk extends HttpTalk {
  #url;
  #address;
  #onText;
  /** Settles when the stream is over. */
  over;

  constructor(url, onText, connections = 1) {
    // One of them is the stream.
    super(connections + 1);
    this.#url = url;
    this.#onText = onText;
  }

  /** Opens the stream, and resolves when it has named the address for what is to be said. */
  open() {
    return new Promise((resolve, reject) => {
      const onEvent = ({ event, data }) => {
        if (event !== 'endpoint') this.#onText(data);
        else {
          this.#address = new URL(data, this.#url);
          resolve();
        }
      };
      this.over = this.send(this.#url, { method: 'GET', onEvent });
      this.over.then(() => reject(new Error('The stream ended.')), reject);
    });
  }

  say(text) {
    return this.send(this.#address, { headers: { 'Content-Type': 'application/json' }, body: text });
  }
}
