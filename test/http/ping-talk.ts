import { type HttpProxy, startProxy } from '../support/http-proxy.ts';
import type { Place } from '../support/place.ts';
import { rawHttpServer } from '../support/raw-http-server.ts';

/** A client that pings a server through mcpreel, each ping in its own exchange. */
export class PingTalk {
  readonly proxy: HttpProxy;
  readonly target: string;

  private constructor(proxy: HttpProxy, target: string) {
    this.proxy = proxy;
    this.target = target;
  }

  static async start(place: Place, flags: readonly string[], traceFile?: string | null): Promise<PingTalk> {
    const target = await pingServer();
    return new PingTalk(await startProxy(place, ['--target-url', target, ...flags], traceFile), target);
  }

  /** Pings with these ids one after the other, and resolves when the last was answered. */
  async ping(ids: Iterable<number>, onAnswered: (id: number) => void = () => undefined): Promise<void> {
    for (const id of ids) {
      const response = await fetch(this.proxy.url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
        body: `{"jsonrpc":"2.0","id":${id},"method":"ping"}`,
      });
      const { id: answered } = (await response.json()) as { id: number };
      if (answered !== id) throw new Error(`The answer to ${id} is that to ${answered}`);
      onAnswered(id);
    }
  }
}

/** Starts a server that answers pings, and returns its URL. It is stopped after the test. */
export async function pingServer(): Promise<string> {
  const { url } = await rawHttpServer(({ body }, response) => {
    const { id } = JSON.parse(body) as { id: number };
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
  });
  return url.href;
}

/** `count` consecutive numbers. */
export function numbers(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}
