import { randomBytes } from 'node:crypto';

/** How long a ticket lets somebody in. */
const VALID_MS = 60_000;

/**
 * Lets a browser in that this program starts. Everybody on the machine can see what programs are started with: so the
 * browser is given a ticket that is good once and for a minute, and gets the token for it.
 */
export class OneTimeLink {
  readonly #nowMs: () => number;
  readonly #tickets = new Map<string, number>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** The path that leads in. */
  issue(): string {
    const ticket = randomBytes(16).toString('base64url');
    this.#tickets.set(ticket, this.#nowMs() + VALID_MS);
    return `/open/${ticket}`;
  }

  /** Whether somebody with this ticket is let in. Nobody else is then. */
  admits(ticket: string): boolean {
    const untilMs = this.#tickets.get(ticket);
    this.#tickets.delete(ticket);
    return untilMs !== undefined && this.#nowMs() <= untilMs;
  }
}
