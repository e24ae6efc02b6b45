import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { OpenTrace } from '../control/trace-lines.ts';
import { ReelError } from '../model/errors.ts';
import { LiveHub, type LiveHubOptions } from './live-hub.ts';
import { OneTimeLink } from './one-time-link.ts';
import { pageApp } from './page-app.ts';
import { ReplayController, type ReplayControllerOptions } from './replay-controller.ts';
import { type FileToServe, ServedFiles } from './served-files.ts';
import { StaticFiles } from './static-files.ts';

export interface PageServerOptions extends ReplayControllerOptions {
  /** The port. 0 picks a free port. */
  readonly port: number;
  /** The token that the page must send. */
  readonly token: string;
  /** The folder that contains the built page. */
  readonly webFolder: string;
  readonly files: readonly FileToServe[];
  readonly openTrace: OpenTrace;
  /** Absent if only files are shown. */
  readonly live?: Pick<LiveHubOptions, 'running' | 'findTrace'> | undefined;
}

/** Serves the page on this machine only. */
export interface PageServer {
  readonly port: number;
  /** The URL that opens the page. The token is in the fragment, which browsers never send to a server. */
  readonly url: string;
  /** Returns a URL that opens the page once, for a browser that mcpreel starts. */
  ticketUrl(): string;
  /** Closes every connection, and resolves when the server no longer listens. */
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

/** Starts the HTTP server for the page, on 127.0.0.1 only. */
export async function openPageServer(options: PageServerOptions): Promise<PageServer> {
  const { token, live, openTrace, nowMs } = options;
  const statics = await StaticFiles.in(options.webFolder);
  const hub = live && new LiveHub({ ...live, openTrace, nowMs });
  const files = new ServedFiles(options.files, hub, openTrace);
  const oneTimeLink = new OneTimeLink(nowMs);
  const replays = new ReplayController(options);
  let port = 0;
  const app = pageApp({ token, statics, files, oneTimeLink, hub, replays, port: () => port });
  const server = createAdaptorServer({ fetch: app.fetch, hostname: HOST }) as Server;
  await listen(server, options.port);
  port = (server.address() as AddressInfo).port;
  const origin = `http://${HOST}:${port}`;
  return {
    port,
    url: `${origin}/#token=${token}`,
    ticketUrl: () => `${origin}${oneTimeLink.issue()}`,
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
      const hint = 'Choose another with --port, 0 for any that is free.';
      reject(new ReelError('cannot-listen', `Cannot listen on ${HOST}:${port}: ${why}`, { hint, cause }));
    });
    server.listen({ host: HOST, port, exclusive: true }, resolve);
  });
}
