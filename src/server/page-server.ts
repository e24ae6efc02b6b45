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
  /** 0 for any that is free. */
  readonly port: number;
  /** What the page has to show. */
  readonly token: string;
  /** Where the built page is. */
  readonly webFolder: string;
  readonly files: readonly FileToServe[];
  readonly openTrace: OpenTrace;
  /** Absent where only files are shown. */
  readonly live?: Pick<LiveHubOptions, 'running' | 'findTrace'> | undefined;
}

/** The page, served to this machine alone. */
export interface PageServer {
  readonly port: number;
  /** What opens the page: the token is in the fragment, which browsers send to nobody. */
  readonly url: string;
  /** An address that opens the page once, for a browser that is started with it. */
  ticketUrl(): string;
  /** Ends every connection; resolves when nobody can connect any more. */
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

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
    // On every error, not the first alone: one that nobody hears later would end the process.
    server.on('error', (cause: NodeJS.ErrnoException) => {
      const reasons: Readonly<Record<string, string>> = { EADDRINUSE: 'the port is in use', EACCES: 'not permitted' };
      const why = reasons[cause.code ?? ''] ?? cause.message;
      const hint = 'Choose another with --port, 0 for any that is free.';
      reject(new ReelError('cannot-listen', `Cannot listen on ${HOST}:${port}: ${why}`, { hint, cause }));
    });
    server.listen({ host: HOST, port, exclusive: true }, resolve);
  });
}
