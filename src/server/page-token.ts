import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const TOKEN_BYTES = 32;

/** The token that the page must send. It differs for each run, and can be replaced during one. */
export class PageToken {
  #text: string;
  #onUsed: (() => void) | undefined;
  /** Resolves when a page has sent the token for the first time. */
  readonly used: Promise<void> = new Promise((resolve) => {
    this.#onUsed = resolve;
  });

  constructor(text: string = newToken()) {
    this.#text = text;
  }

  get text(): string {
    return this.#text;
  }

  /** Compares in constant time. */
  admits(given: string): boolean {
    const isSame = timingSafeEqual(digest(given), digest(this.#text));
    if (isSame) this.#onUsed?.();
    return isSame;
  }

  /** From now on the old token is wrong. */
  replace(): void {
    this.#text = newToken();
  }
}

function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
