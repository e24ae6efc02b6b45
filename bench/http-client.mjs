import { connect } from 'node:net';
import { CALL_TEXT } from './call-text.mjs';

/** A benchmark that takes this long hangs. */
const LIMIT_MS = 300_000;

/** The headers of every request, except those for framing; some targets need more. */
const HEADERS = [
  'Accept: application/json, text/event-stream',
  'Content-Type: application/json',
  'Accept-Language: *',
  'User-Agent: bench',
  'MCP-Protocol-Version: 2025-11-25',
];

/** Makes calls over this many connections at a time, and returns the time of each in milliseconds. */
export async function callOver(url, { connections, calls, headers = [], text = CALL_TEXT }) {
  const clients = await Promise.all(Array.from({ length: connections }, () => HttpConnection.open(url, headers)));
  const limit = setTimeout(() => abandonAll(clients), LIMIT_MS);
  const times = [];
  let called = 0;
  const all = Promise.all(
    clients.map(async (client) => {
      while (called < calls) {
        const id = ++called;
        const started = performance.now();
        const answer = await client.post(call(id, text));
        times.push(performance.now() - started);
        // Errors return faster than results, so they must not count as calls.
        if (!answer.includes(text)) throw new Error(`This is no echo: ${answer.slice(0, 300)}`);
      }
      client.close();
    }),
  );
  await all.finally(() => clearTimeout(limit));
  return times;
}

/** Opens a session if the server uses sessions, and returns the session header. */
export async function openSession(url) {
  const client = await HttpConnection.open(url, []);
  const params = `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1.0.0"}}`;
  const answer = await client.post(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":${params}}`);
  const id = /^mcp-session-id: *(\S+)/im.exec(answer)?.[1];
  const headers = id === undefined ? [] : [`Mcp-Session-Id: ${id}`];
  client.close();
  const second = await HttpConnection.open(url, headers);
  await second.post('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  second.close();
  return headers;
}

function abandonAll(clients) {
  for (const client of clients) client.abandon();
}

function call(id, text) {
  return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"echo","arguments":{"text":"${text}"}}}`;
}

/**
 * A minimal HTTP connection, so that the benchmark measures the other side. It writes each request in one chunk and
 * looks for the end of the response.
 */
class HttpConnection {
  #socket;
  #head;
  #received = '';
  #isComplete;
  #onAnswer = () => {};
  #onFailure = () => {};

  static open(url, headers) {
    const { hostname, port, pathname, host } = new URL(url);
    return new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      socket.once('error', reject);
      socket.once('connect', () => {
        const head = [`POST ${pathname} HTTP/1.1`, `Host: ${host}`, ...HEADERS, ...headers];
        resolve(new HttpConnection(socket, head.join('\r\n')));
      });
    });
  }

  constructor(socket, head) {
    this.#socket = socket;
    this.#head = head;
    socket.setEncoding('latin1');
    socket.on('data', (text) => this.#take(text));
    socket.on('error', (error) => this.#onFailure(error));
    socket.on('close', () => this.#onFailure(new Error('The connection was closed.')));
  }

  /** Resolves with the whole response, including its head. */
  post(body) {
    return new Promise((resolve, reject) => {
      this.#onAnswer = resolve;
      this.#onFailure = reject;
      this.#socket.write(`${this.#head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`, 'latin1');
    });
  }

  close() {
    this.#onFailure = () => {};
    this.#socket.destroy();
  }

  /** Rejects all pending responses. */
  abandon() {
    this.#socket.destroy();
  }

  #take(text) {
    this.#received += text;
    this.#isComplete ??= completeness(this.#received);
    if (!this.#isComplete?.(this.#received)) return;
    const answer = this.#received;
    this.#received = '';
    this.#isComplete = undefined;
    this.#onAnswer(answer);
  }
}

/** Returns how to detect the end of a response, once its head has arrived. */
function completeness(received) {
  const bodyAt = received.indexOf('\r\n\r\n') + 4;
  if (bodyAt < 4) return undefined;
  const length = /\r\ncontent-length: *(\d+)/i.exec(received.slice(0, bodyAt))?.[1];
  if (length === undefined) return (text) => text.endsWith('\r\n0\r\n\r\n');
  return (text) => text.length >= bodyAt + Number(length);
}
