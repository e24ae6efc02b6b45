/** What a server has said so far, for those who wait for it. */
export class ReceivedMessages {
  readonly #notices = new Map<string, number>();
  readonly #waiting = new Set<() => void>();

  /** A notification came. */
  notice(method: string): void {
    this.#notices.set(method, this.noticesOf(method) + 1);
    this.happened();
  }

  noticesOf(method: string): number {
    return this.#notices.get(method) ?? 0;
  }

  /** Something came, or will not come any more. */
  happened(): void {
    if (this.#waiting.size > 0) for (const look of [...this.#waiting]) look();
  }

  /** Resolves with whether something is so, as soon as it is or the time is up. */
  async until(isSo: () => boolean, limitMs: number): Promise<boolean> {
    if (isSo()) return true;
    return new Promise((resolve) => {
      const finish = (is: boolean): void => {
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve(is);
      };
      const look = (): void => {
        if (isSo()) finish(true);
      };
      const timer = setTimeout(finish, limitMs, false);
      this.#waiting.add(look);
    });
  }
}
