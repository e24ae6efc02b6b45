// Minimal MCP servers over HTTP that remember every message they received and sent.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { undoLater } from './undo.mjs';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const STREAM_TYPE = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' };

/** The response of such a server. */
function answerTo({ id, params }) {
  const text = JSON.stringify(params?.text ?? '');
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":${text}}],"n":1.0}}`;
}

class Target {
  heard = [];
  said = [];
  /** Called with each message before it is answered. */
  onHeard = () => {};
  url;
  close;
  #server;

  static async open(target, path) {
    target.#server = createServer((request, response) => {
      target.serve(request, response).catch((error) => response.destroy(error));
    });
    // Connections must survive a machine that stalls for any length of time.
    target.#server.keepAliveTimeout = 0;
    target.#server.listen(0, '127.0.0.1');
    await once(target.#server, 'listening');
    target.url = `http://127.0.0.1:${target.#server.address().port}${path}`;
    target.close = undoLater(() => {
      target.#server.close();
      target.#server.closeAllConnections();
    });
    return target;
  }

  async hear(request) {
    const text = await textOf(request);
    this.heard.push(text);
    this.onHeard(text);
    return JSON.parse(text);
  }

  say(text) {
    this.said.push(text);
    return text;
  }
}

/** Streamable HTTP: every third response is a stream that starts with another message. */
class StreamableTarget extends Target {
  async serve(request, response) {
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    const message = await this.hear(request);
    if (message.id === undefined || message.method === undefined) {
      response.writeHead(202).end();
      return;
    }
    const session = message.method === 'initialize' ? { 'Mcp-Session-Id': randomUUID() } : {};
    const answer = answerTo(message);
    if (message.id % 3 !== 0) {
      response.writeHead(200, { ...JSON_TYPE, ...session, 'Content-Length': Buffer.byteLength(answer) });
      response.end(this.say(answer));
      return;
    }
    const progress = `{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"before ${message.id}"}}`;
    response.writeHead(200, { ...STREAM_TYPE, ...session });
    response.write(`event: message\ndata: ${this.say(progress)}\n\n`);
    response.end(`event: message\ndata: ${this.say(answer)}\n\n`);
  }
}

/** HTTP+SSE: responses arrive on the stream that names the endpoint for requests. */
class SseTarget extends Target {
  #streams = new Map();

  async serve(request, response) {
    if (request.method === 'GET') {
      const id = randomUUID();
      this.#streams.set(id, response);
      response.once('close', () => this.#streams.delete(id));
      response.writeHead(200, STREAM_TYPE);
      response.write(`event: endpoint\ndata: /messages?sessionId=${id}\n\n`);
      return;
    }
    const stream = this.#streams.get(new URL(request.url, 'http://localhost').searchParams.get('sessionId'));
    const message = await this.hear(request);
    response.writeHead(202).end('Accepted');
    if (message.method !== undefined && message.id !== undefined) {
      stream?.write(`event: message\ndata: ${this.say(answerTo(message))}\n\n`);
    }
  }
}

export const openStreamableTarget = () => Target.open(new StreamableTarget(), '/mcp');
export const openSseTarget = () => Target.open(new SseTarget(), '/sse');
