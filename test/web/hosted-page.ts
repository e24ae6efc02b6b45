import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { onTestFinished } from 'vitest';

type Files = Readonly<Record<string, string | Uint8Array>>;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
};
const DIST = join(import.meta.dirname, '../../dist/web');

/** A host of the built page with files of one test beside it. */
class PageHost {
  files: Files | undefined;
  readonly #server: Server;
  readonly address: Promise<string>;

  constructor() {
    this.#server = createServer((request, response) => {
      const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://host').pathname)).slice(1);
      void this.#contentOf(path || 'index.html').then(
        (content) => {
          const type = TYPES[extname(path) || '.html'] ?? 'application/octet-stream';
          // The names of assets contain a hash of their content.
          const cached = path.startsWith('assets/') ? 'max-age=3600, immutable' : 'no-store';
          response.writeHead(200, { 'content-type': type, 'cache-control': cached }).end(content);
        },
        () => response.writeHead(404).end(),
      );
    });
    this.address = new Promise((resolve) =>
      this.#server.listen(0, '127.0.0.1', () =>
        resolve(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`),
      ),
    );
    this.#server.unref();
  }

  async #contentOf(path: string): Promise<string | Uint8Array> {
    return this.files?.[path] ?? readFile(join(DIST, path));
  }
}

const hosts: PageHost[] = [];

/**
 * Hosts the built page as a static host would, with files of the test beside it. Returns its URL.
 *
 * The next test gets the same host with its own files, so that the browser need not load the page's scripts again.
 */
export async function hostPage(files: Files = {}): Promise<string> {
  let host = hosts.find((one) => one.files === undefined);
  if (host === undefined) {
    host = new PageHost();
    hosts.push(host);
  }
  const taken = host;
  taken.files = files;
  onTestFinished(() => {
    taken.files = undefined;
  });
  return taken.address;
}
