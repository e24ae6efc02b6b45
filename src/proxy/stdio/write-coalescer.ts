import type { Writable } from 'node:stream';

/**
 * Work for the end of this turn of the event loop, when all that came in with it was seen. What is written by then to many
 * connections goes out together: to wake whoever sleeps at their other ends costs more than to write, and so they are woken
 * once. Whoever writes first in a turn may be alone, and does not wait.
 */
export class WriteCoalescer {
  #first: object | undefined;
  #works: (() => void)[] = [];
  #gathered: Writable[] = [];
  #isAwaited = false;

  add(work: () => void): void {
    this.#works.push(work);
    this.#awaitEnd();
  }

  /** Keeps back what is written to a socket until all work is done. */
  gather(socket: Writable, writer: object): void {
    if (this.#isFirst(writer)) return;
    socket.cork();
    this.#gathered.push(socket);
  }

  /** Ends a message, with which it goes out. */
  end(message: Writable, writer: object): void {
    if (this.#isFirst(writer)) message.end();
    else this.#works.push(() => message.end());
  }

  #isFirst(writer: object): boolean {
    this.#first ??= writer;
    this.#awaitEnd();
    return this.#first === writer;
  }

  #awaitEnd(): void {
    if (this.#isAwaited) return;
    this.#isAwaited = true;
    setImmediate(() => this.#run());
  }

  #run(): void {
    const works = this.#works;
    const gathered = this.#gathered;
    this.#first = undefined;
    this.#works = [];
    this.#gathered = [];
    this.#isAwaited = false;
    for (const work of works) work();
    for (const socket of gathered) socket.uncork();
  }
}
