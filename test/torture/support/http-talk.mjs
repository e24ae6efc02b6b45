// Minimal MCP clients over HTTP.
import { Agent, request } from 'node:http';
import { undoLater } from './undo.mjs';

const ACCEPT = 'application/json, text/event-stream';

/** Splits an event stream, and reports the name and data of each event. */
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

/** One client with its own connections. */
class HttpTalk {
  close;
  #agent;

  constructor(connections) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
    this.close = undoLater(() => this.#agent.destroy());
  }

  /** Sends a request and reports each text in the response. Resolves with the response head at its end. */
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

/** A Streamable HTTP client. It reports each received text to `onText`, with its exchange. */
export class StreamableTalk extends HttpTalk {
  #url;
  #session = {};
  #onText;

  constructor(url, onText, connections = 1) {
    super(connections);
    this.#url = url;
    this.#onText = onText;
  }

  /** Opens a session. */
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

  /** Ends the session if the server has one. */
  leave() {
    return this.send(this.#url, { method: 'DELETE', headers: this.#session });
  }
}

/** An HTTP+SSE client. */
export class SseTalk extends HttpTalk {
  #url;
  #address;
  #onText;
  /** Settles when the stream has ended. */
  over;

  constructor(url, onText, connections = 1) {
    // One connection is for the stream.
    super(connections + 1);
    this.#url = url;
    this.#onText = onText;
  }

  /** Opens the stream, and resolves when it has named the endpoint. */
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
