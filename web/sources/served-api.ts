import type { FileToOpen } from '../model/file-to-open.ts';

/** An error response from the program that serves the page. */
export class ServedFault extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }

  /** Whether a retry is pointless, because another server than the one that issued the token has answered. */
  get isFinal(): boolean {
    return this.status === 401 || this.status === 403;
  }
}

/** Enough to detect a format and to read a header. */
const HEAD_BYTES = 1 << 16;

/** Replaces the status if no response arrived; the browser gives no more details. */
const NO_ANSWER = 0;

/** The HTTP API of the program that serves the page. Every request to it carries the token; no other request does. */
export class ServedApi {
  readonly #token: string;

  constructor(token: string) {
    this.#token = token;
  }

  get(path: string, signal?: AbortSignal): Promise<Response> {
    return this.#fetch(path, { method: 'GET' }, signal);
  }

  /** Resolves with the beginning of a file, and how to read the rest of it. */
  async file(path: string): Promise<Pick<FileToOpen, 'blob' | 'remote'>> {
    const response = await this.#fetch(path, { headers: { Range: `bytes=0-${HEAD_BYTES - 1}` } }, undefined);
    const blob = await response.blob();
    const size = Number(/\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1] ?? blob.size);
    return { blob, remote: { address: new URL(path, location.href).href, token: this.#token, size } };
  }

  /** Resolves with the parsed response; the caller knows its type. */
  async post(path: string, body: object, signal?: AbortSignal): Promise<unknown> {
    const headers = { 'Content-Type': 'application/json' };
    const response = await this.#fetch(path, { method: 'POST', headers, body: JSON.stringify(body) }, signal);
    return response.json();
  }

  async #fetch(path: string, request: RequestInit, signal: AbortSignal | undefined): Promise<Response> {
    const response = await fetch(path, {
      ...request,
      headers: { ...request.headers, Authorization: `Bearer ${this.#token}` },
      credentials: 'omit',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      signal: signal ?? null,
    }).catch(() => {
      throw new ServedFault(NO_ANSWER, 'mcpreel view does not respond.');
    });
    if (!response.ok) throw new ServedFault(response.status, (await response.text()).trim());
    return response;
  }
}
