/** Work for the end of this turn of the event loop, when all that came in with it was seen. */
export class EndOfTurn {
  #waiting: (() => void)[] = [];

  add(work: () => void): void {
    if (this.#waiting.length === 0) setImmediate(() => this.#run());
    this.#waiting.push(work);
  }

  #run(): void {
    const works = this.#waiting;
    this.#waiting = [];
    for (const work of works) work();
  }
}
