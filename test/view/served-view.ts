import { type IncomingHttpHeaders, request } from 'node:http';
import type { McpreelProcess } from '../support/mcpreel-process.ts';
import type { Place } from '../support/place.ts';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Requested {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A running `mcpreel view`. */
export class ServedView {
  readonly process: McpreelProcess;
  readonly url: string;

  private constructor(process: McpreelProcess, url: string) {
    this.process = process;
    this.url = url;
  }

  static async start(place: Place, args: readonly string[], input = ''): Promise<ServedView> {
    const running = place.start(['view', '--no-open', ...args]);
    running.end(input);
    const [url] = await running.printed(/http:\/\/\S+(?=\n)/);
    return new ServedView(running, url);
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  get token(): string {
    return new URLSearchParams(new URL(this.url).hash.slice(1)).get('token') ?? '';
  }

  /** Sends a request with the token; headers can be replaced, or removed with an empty text. */
  ask(path: string, { method = 'GET', headers = {}, body }: Requested = {}): Promise<Reply> {
    const all = { authorization: `Bearer ${this.token}`, ...headers };
    const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
    return new Promise((resolve, reject) => {
      const asking = request({ host: '127.0.0.1', port: this.port, path, method, headers: sent }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      });
      asking.on('error', reject).end(body);
    });
  }
}
