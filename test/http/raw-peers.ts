import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { type HttpMessage, readMessage } from './http-message.ts';

type Bytes = string | Uint8Array;

/** One end of a TCP connection, read and written byte by byte. It is closed after the test. */
export class RawPeer {
  readonly socket: Socket;
  /** Resolves with how the connection ended, when no more data can arrive. */
  readonly closed: Promise<'ended' | 'reset'>;
  #chunks: Buffer[] = [];
  #size = 0;
  #waiting = new Set<() => void>();
  #isOver = false;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.setNoDelay(true);
    this.closed = new Promise((resolve) => {
      socket.once('error', () => resolve('reset'));
      socket.once('close', () => resolve('ended'));
    });
    socket.on('data', (chunk) => {
      this.#chunks.push(chunk);
      this.#size += chunk.length;
      this.#look();
    });
    for (const event of ['end', 'close']) {
      socket.on(event, () => {
        this.#isOver = true;
        this.#look();
      });
    }
    onTestFinished(() => void socket.destroy());
  }

  /** Opens a connection to the port of a URL. */
  static async to(url: string): Promise<RawPeer> {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) });
    const peer = new RawPeer(socket);
    await once(socket, 'connect');
    return peer;
  }

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  /** The received data that was not taken yet, with one character per byte. */
  get text(): string {
    return this.#unread().toString('latin1');
  }

  /** Resolves when the bytes were handed to the operating system; text has one character per byte. */
  write(bytes: Bytes): Promise<void> {
    const given = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
    return new Promise((resolve) => this.socket.write(given, () => resolve()));
  }

  /** Writes each byte separately. */
  async trickle(bytes: Bytes): Promise<void> {
    for (const byte of Buffer.from(bytes as string, 'latin1')) await this.write(Uint8Array.of(byte));
  }

  /** Takes the next complete message; `isHead` marks a response without a body, whatever its headers say. */
  async message(isHead = false): Promise<HttpMessage> {
    for (;;) {
      const found = readMessage(this.#unread(), { isHead, isOver: this.#isOver });
      if ('message' in found) {
        this.#take(found.end);
        return found.message;
      }
      if (this.#isOver) throw new Error(`It ended after:\n${this.text}`);
      while (this.#size < found.needs && !this.#isOver) await this.#more();
    }
  }

  /** Resolves when this text has arrived, and takes everything up to its end. */
  async until(text: string): Promise<string> {
    for (;;) {
      const at = this.text.indexOf(text);
      if (at >= 0) {
        const taken = this.text.slice(0, at + text.length);
        this.#take(taken.length);
        return taken;
      }
      if (this.#isOver) throw new Error(`It ended without ${JSON.stringify(text)} after:\n${this.text}`);
      await this.#more();
    }
  }

  /** Everything until the end of the connection. */
  async rest(): Promise<string> {
    while (!this.#isOver) await this.#more();
    return this.text;
  }

  #unread(): Buffer {
    const all = Buffer.concat(this.#chunks);
    this.#chunks = [all];
    return all;
  }

  #take(size: number): void {
    this.#chunks = [this.#unread().subarray(size)];
    this.#size -= size;
  }

  #more(): Promise<void> {
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  #look(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

/** A TCP server that sends nothing on its own. It is stopped after the test. */
export class RawServer {
  readonly #server: Server;
  readonly #arrived: RawPeer[] = [];
  #waiting: ((peer: RawPeer) => void)[] = [];
  readonly #peers: RawPeer[] = [];
  readonly #watching = new Set<() => void>();

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket) => {
      const peer = new RawPeer(socket);
      this.#peers.push(peer);
      socket.on('data', () => this.#look());
      const waiting = this.#waiting.shift();
      if (waiting === undefined) this.#arrived.push(peer);
      else waiting(peer);
    });
    onTestFinished(() => void server.close());
  }

  static async open(port = 0): Promise<RawServer> {
    const server = createServer({ allowHalfOpen: false });
    const opened = new RawServer(server);
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return opened;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  get url(): string {
    return `http://${this.host}/mcp`;
  }

  /** The next connection, in the order of arrival. */
  next(): Promise<RawPeer> {
    const arrived = this.#arrived.shift();
    return arrived === undefined ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(arrived);
  }

  get count(): number {
    return this.#peers.length;
  }

  /** The connection with data that was not taken yet. A paused connection does not count. */
  async requested(): Promise<RawPeer> {
    for (;;) {
      const requested = this.#peers.find(({ isEmpty, socket }) => !isEmpty && !socket.destroyed && !socket.isPaused());
      if (requested !== undefined) return requested;
      await new Promise<void>((resolve) => this.#watching.add(resolve));
    }
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #look(): void {
    for (const resolve of this.#watching) resolve();
    this.#watching.clear();
  }
}
