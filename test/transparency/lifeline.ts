import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Place } from '../support/place.ts';

/** A process that this process did not start. */
export interface Held {
  /** Resolves when it has ended. */
  readonly gone: Promise<unknown>;
}

/**
 * A socket that processes keep open, so that tests notice the end of processes they did not start. A process that still
 * holds it at the end of the test is killed.
 */
export class Lifeline {
  readonly path: string;
  readonly #server: Server = createServer();
  readonly #arrived = new Map<string, Promise<Held>>();
  readonly #announce = new Map<string, (held: Held) => void>();
  readonly #pids = new Set<number>();

  constructor(place: Place) {
    this.path = place.path('lifeline');
    this.#server.on('connection', (socket) => void this.#welcome(socket));
    this.#server.listen(this.path);
    onTestFinished(async () => {
      for (const pid of this.#pids) process.kill(pid, 'SIGKILL');
      this.#server.close();
      await once(this.#server, 'close');
    });
  }

  /** Resolves when the process with this name has connected. */
  holds(name: string): Promise<Held> {
    const known = this.#arrived.get(name) ?? new Promise<Held>((resolve) => this.#announce.set(name, resolve));
    this.#arrived.set(name, known);
    return known;
  }

  async #welcome(socket: Socket): Promise<void> {
    const gone = once(socket, 'close');
    // A killed process resets its connection.
    socket.on('error', () => undefined);
    const [greeting] = (await once(socket, 'data')) as [Buffer];
    const [name = '', pid] = greeting.toString().split(' ');
    this.#pids.add(Number(pid));
    void gone.then(() => this.#pids.delete(Number(pid)));
    void this.holds(name);
    this.#announce.get(name)?.({ gone });
  }
}
