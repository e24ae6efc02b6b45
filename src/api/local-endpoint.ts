import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { reasonOf } from '../files/reason.ts';
import { ReelError } from '../model/errors.ts';
import { socketPlace } from '../state/socket-place.ts';
import { DEFAULT_MAX_MESSAGE_BYTES } from '../transport/bounded-lines.ts';
import type { InboundEvents } from '../transport/inbound/inbound-transport.ts';
import { openStdioInbound } from '../transport/inbound/stdio-inbound.ts';
import { endsWithin } from '../transport/time-limit.ts';
import { type ClientTransport, DialogueTransport } from './client-transport.ts';
import { usage } from './given-option.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { thisProcess } from './this-process.ts';

/** The program that a client runs. It relays its stdin and stdout to the socket, and exits when either side closes. */
const CARRIER = `const { stdin, stdout } = process;
const socket = require('node:net').connect({ path: process.argv[1], allowHalfOpen: true });
socket.on('error', ({ message }) => { console.error('mcpreel: ' + message); process.exitCode = 1; });
socket.on('close', () => stdin.destroy());
socket.on('end', () => { stdin.destroy(); socket.end(); });
stdout.on('error', () => socket.destroy());
stdin.pipe(socket).pipe(stdout);`;

/** How long the programs that clients run have to exit. */
const PROGRAMS_END_MS = 1000;

/** Accepts clients on this machine without a port: clients that run a program, or clients within this process. */
export interface LocalEndpoint {
  /** The program that a client runs as its server, and its arguments. */
  readonly command: string;
  readonly args: readonly string[];
  /** The transport for the next client in this process. It stays the same until a client connects with it. */
  readonly transport: ClientTransport;
  /** Starts accepting clients. */
  admit(events: InboundEvents): void;
  /** Ends all open conversations. */
  leave(): void;
  close(): Promise<void>;
}

/** Opens an endpoint that only this user's programs can reach. */
export async function openLocalEndpoint(): Promise<LocalEndpoint> {
  const endpoint = new SocketEndpoint();
  await endpoint.listen();
  return endpoint;
}

class SocketEndpoint implements LocalEndpoint {
  readonly command: string = thisProcess.execPath;
  readonly args: readonly string[];
  readonly #folder: string = temporaryFolder();
  readonly #path: string;
  readonly #server: Server;
  readonly #leaving = new Set<() => void>();
  readonly #sockets = new Set<Socket>();
  #events: InboundEvents | undefined;
  #clients = 0;
  #next: DialogueTransport | undefined;

  constructor() {
    this.#path = socketPlace(this.#folder, randomBytes(8).toString('hex'), thisProcess) ?? '';
    this.args = ['-e', CARRIER, this.#path];
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#take(socket));
  }

  async listen(): Promise<void> {
    try {
      if (this.#path === '') throw new Error('no folder for a socket');
      await new Promise<void>((resolve, reject) => {
        this.#server.once('error', reject);
        this.#server.listen(this.#path, resolve);
      });
    } catch (cause) {
      rmSync(this.#folder, { recursive: true, force: true });
      throw new ReelError('cannot-listen', `Cannot listen for programs: ${reasonOf(cause)}`, { cause });
    }
  }

  get transport(): ClientTransport {
    if (!this.#next?.isFree) {
      const transport = new DialogueTransport({
        events: () => this.#admitted(),
        nextConversation: () => this.#clients++,
        onOver: () => this.#leaving.delete(leave),
      });
      const leave = (): void => transport.leave();
      this.#leaving.add(leave);
      this.#next = transport;
    }
    return this.#next;
  }

  admit(events: InboundEvents): void {
    this.#events = events;
  }

  leave(): void {
    for (const leave of this.#leaving) leave();
    this.#leaving.clear();
  }

  async close(): Promise<void> {
    this.leave();
    this.#events = undefined;
    const closed = new Promise((resolve) => this.#server.close(resolve));
    // A program closes its end when it exits.
    for (const socket of this.#sockets) socket.end();
    await endsWithin(closed, PROGRAMS_END_MS);
    for (const socket of this.#sockets) socket.destroy();
    await closed;
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #admitted(): InboundEvents {
    if (this.#events === undefined) throw usage('The session was stopped', 'Connect clients before you stop it.');
    return this.#events;
  }

  #take(socket: Socket): void {
    const events = this.#events;
    if (events === undefined) {
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    const inbound = openStdioInbound({
      stdin: socket,
      stdout: socket,
      maxMessageBytes: DEFAULT_MAX_MESSAGE_BYTES,
      events,
      conversation: this.#clients++,
      onOver: () => socket.end(),
    });
    const leave = (): void => inbound.close();
    this.#leaving.add(leave);
    socket.once('close', () => this.#leaving.delete(leave));
  }
}
