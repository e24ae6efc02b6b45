import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReelError } from '../model/errors.ts';
import { reasonOf } from '../state/reason.ts';
import { socketPlace } from '../state/socket-place.ts';
import type { FrontEvents } from '../transport/fronts/client-front.ts';
import { openStdioFront } from '../transport/fronts/stdio-front.ts';
import { type ClientTransport, DialogueTransport } from './client-transport.ts';
import { thisProcess } from './this-process.ts';

/** Longer messages are not taken. */
const MAX_MESSAGE_BYTES = 128 << 20;

/** The program that a client runs: it carries its streams to us, and ends when either side does. */
const CARRIER = `const { stdin, stdout } = process;
const socket = require('node:net').connect({ path: process.argv[1], allowHalfOpen: true });
socket.on('error', ({ message }) => { console.error('mcpreel: ' + message); process.exitCode = 1; });
socket.on('close', () => stdin.destroy());
stdout.on('error', () => socket.destroy());
stdin.pipe(socket).pipe(stdout);`;

/** Where clients on this machine come in without a port: as the parent of a program, or within this process. */
export interface LocalDoor {
  /** The program that a client runs as its server, and its arguments. */
  readonly command: string;
  readonly args: readonly string[];
  /** A way in for the next client of this process. It stays the same until it is connected. */
  readonly transport: ClientTransport;
  /** Lets clients in. */
  admit(events: FrontEvents): void;
  /** Ends what they have begun. */
  leave(): void;
  close(): Promise<void>;
}

/** Opens a door that only this user's programs find. */
export async function openLocalDoor(): Promise<LocalDoor> {
  const door = new SocketDoor();
  await door.listen();
  return door;
}

class SocketDoor implements LocalDoor {
  readonly command: string = thisProcess.execPath;
  readonly args: readonly string[];
  readonly #folder: string = mkdtempSync(join(tmpdir(), 'mcpreel-'));
  readonly #path: string;
  readonly #server: Server;
  readonly #leaving = new Set<() => void>();
  readonly #sockets = new Set<Socket>();
  #events: FrontEvents | undefined;
  #clients = 0;
  #next: DialogueTransport | undefined;

  constructor() {
    this.#path = socketPlace(this.#folder, randomBytes(8).toString('hex'), thisProcess) ?? '';
    this.args = ['-e', CARRIER, this.#path];
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#take(socket));
  }

  async listen(): Promise<void> {
    try {
      if (this.#path === '') throw new Error('there is no place for a socket');
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
    if (this.#next === undefined || this.#next.isStarted) {
      const transport = new DialogueTransport(
        () => this.#admitted(),
        () => this.#clients++,
      );
      this.#leaving.add(() => transport.leave());
      this.#next = transport;
    }
    return this.#next;
  }

  admit(events: FrontEvents): void {
    this.#events = events;
  }

  leave(): void {
    for (const leave of this.#leaving) leave();
    this.#leaving.clear();
  }

  async close(): Promise<void> {
    this.leave();
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroySoon();
    await closed;
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #admitted(): FrontEvents {
    if (this.#events === undefined) throw new Error('Nobody is let in yet');
    return this.#events;
  }

  #take(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    const front = openStdioFront({
      stdin: socket,
      stdout: socket,
      maxMessageBytes: MAX_MESSAGE_BYTES,
      events: this.#admitted(),
      conversation: this.#clients++,
      onOver: () => socket.end(),
    });
    const leave = (): void => front.close();
    this.#leaving.add(leave);
    socket.once('close', () => this.#leaving.delete(leave));
  }
}
