import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { OpenTrace } from '../control/trace-lines.ts';
import { ReelError } from '../model/errors.ts';
import { LiveHub, type LiveHubOptions } from './live-hub.ts';
import { OneTimeLink, type OpeningFile } from './one-time-link.ts';
import { pageApp } from './page-app.ts';
import { PageToken } from './page-token.ts';
import { ReplayController, type ReplayControllerOptions } from './replay-controller.ts';
import { type FileToServe, ServedFiles } from './served-files.ts';
import { StaticFiles } from './static-files.ts';

export interface PageServerOptions extends ReplayControllerOptions {
  /** The port. 0 picks a free port. */
  readonly port: number;
  /** A new token unless given. */
  readonly token?: PageToken;
  /** The folder that contains the built page. */
  readonly webFolder: string;
  readonly files: readonly FileToServe[];
  readonly openTrace: OpenTrace;
  /** Called when another program tried to use the link that was made for the browser. The token was replaced. */
  readonly onLinkTaken?: () => void;
  /** Absent if only files are shown. */
  readonly live?: Pick<LiveHubOptions, 'running' | 'findTrace'> | undefined;
}

/** Serves the page on this machine only. */
export interface PageServer {
  readonly port: number;
  /** The URL that opens the page. The token is in the fragment, which browsers never send to a server. */
  readonly url: string;
  /** Resolves when a page has asked with the token for the first time. */
  readonly opened: Promise<void>;
  /** Writes a file in a private folder below this one, which takes a browser to the page. */
  openingFile(folder: string): OpeningFile;
  /** Closes every connection, and resolves when the server no longer listens. */
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

/** Starts the HTTP server for the page, on 127.0.0.1 only. */
export async function openPageServer(options: PageServerOptions): Promise<PageServer> {
  const { live, openTrace, nowMs, token = new PageToken(), onLinkTaken = () => undefined } = options;
  const statics = await StaticFiles.in(options.webFolder);
  const hub = live && new LiveHub({ ...live, openTrace, nowMs });
  const files = new ServedFiles(options.files, hub, openTrace);
  const oneTimeLink = new OneTimeLink();
  const replays = new ReplayController(options);
  let port = 0;
  const app = pageApp({ token, statics, files, oneTimeLink, onLinkTaken, hub, replays, port: () => port });
  const server = createAdaptorServer({ fetch: app.fetch, hostname: HOST }) as Server;
  await listen(server, options.port);
  port = (server.address() as AddressInfo).port;
  const origin = `http://${HOST}:${port}`;
  const url = (): string => `${origin}/#token=${token.text}`;
  return {
    port,
    get url() {
      return url();
    },
    opened: token.used,
    openingFile: (folder) => oneTimeLink.write(folder, url()),
    close: () =>
      new Promise((resolve) => {
        hub?.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    // Keep the listener for later errors: an unhandled `error` event would end the process.
    server.on('error', (cause: NodeJS.ErrnoException) => {
      const reasons: Readonly<Record<string, string>> = { EADDRINUSE: 'the port is in use', EACCES: 'not permitted' };
      const why = reasons[cause.code ?? ''] ?? cause.message;
      const hint = 'Use --port 0 for any free port.';
      reject(new ReelError('cannot-listen', `Cannot listen on ${HOST}:${port}: ${why}`, { hint, cause }));
    });
    server.listen({ host: HOST, port, exclusive: true }, resolve);
  });
}
