/** Why whoever serves the page did not do what it was asked for. */
export class ServedFault extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }

  /** Whether asking again is in vain: the server is another one than that which gave the token. */
  get isFinal(): boolean {
    return this.status === 401 || this.status === 403;
  }
}

/** In place of a status where nothing came back: a browser does not tell more. */
const NO_ANSWER = 0;

/** Talks with the program that serves the page. The token goes with every request, and nowhere else. */
export class ServedApi {
  readonly #token: string;

  constructor(token: string) {
    this.#token = token;
  }

  get(path: string, signal?: AbortSignal): Promise<Response> {
    return this.#fetch(path, { method: 'GET' }, signal);
  }

  /** Resolves with what comes back; the caller knows what that is. */
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
      throw new ServedFault(NO_ANSWER, 'mcpreel view does not answer.');
    });
    if (!response.ok) throw new ServedFault(response.status, (await response.text()).trim());
    return response;
  }
}
