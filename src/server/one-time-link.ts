import { randomBytes } from 'node:crypto';

/** How long a ticket is valid. */
const VALID_MS = 60_000;

/**
 * Issues one-time links for browsers that mcpreel starts. All users on a machine can see the arguments of its
 * processes. The browser therefore gets a ticket that is valid once and for one minute, and exchanges it for the token.
 */
export class OneTimeLink {
  readonly #nowMs: () => number;
  readonly #tickets = new Map<string, number>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Issues a ticket, and returns its path. */
  issue(): string {
    const ticket = randomBytes(16).toString('base64url');
    this.#tickets.set(ticket, this.#nowMs() + VALID_MS);
    return `/open/${ticket}`;
  }

  /** Checks a ticket and invalidates it. */
  admits(ticket: string): boolean {
    const untilMs = this.#tickets.get(ticket);
    this.#tickets.delete(ticket);
    return untilMs !== undefined && this.#nowMs() <= untilMs;
  }
}
