import type { Writable } from 'node:stream';

/**
 * Delays writes to the end of the current event-loop turn, so that writes to many connections go out together. Waking
 * the readers costs more than writing, and this way they are woken once. The first writer of a turn may be the only
 * one, and is not delayed.
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

  /** Corks a socket until the end of the turn. */
  gather(socket: Writable, writer: object): void {
    if (this.#isFirst(writer)) return;
    socket.cork();
    this.#gathered.push(socket);
  }

  /** Ends a message, now for the first writer and at the end of the turn for others. */
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
