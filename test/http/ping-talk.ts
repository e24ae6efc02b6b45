import { type HttpProxy, startProxy } from '../support/http-proxy.ts';
import type { Place } from '../support/place.ts';
import { rawHttpServer } from '../support/raw-http-server.ts';

/** A client that pings a server through mcpreel, each ping in an exchange of its own. */
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

  /** Pings with the next so many ids, one after the other, and resolves when the last was answered. */
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

/** The address of a server that answers pings. It is gone after the test. */
export async function pingServer(): Promise<string> {
  const { url } = await rawHttpServer(({ body }, response) => {
    const { id } = JSON.parse(body) as { id: number };
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
  });
  return url.href;
}

/** The numbers from the first on, so many. */
export function numbers(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}
