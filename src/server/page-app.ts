import { Hono } from 'hono';
import type { FileSource } from '../files/file-source.ts';
import { inOneLine, ReelError } from '../model/errors.ts';
import type { LiveHub } from './live-hub.ts';
import { limitBody, liveRoutes } from './live-routes.ts';
import type { OneTimeLink } from './one-time-link.ts';
import { judge } from './page-guard.ts';
import type { PageToken } from './page-token.ts';
import type { ReplayController } from './replay-controller.ts';
import { membersIn, stringIn } from './request-body.ts';

import type { ServedFiles } from './served-files.ts';
import type { StaticFiles } from './static-files.ts';

/** The parts that the page's HTTP app consists of. */
export interface PageParts {
  readonly token: PageToken;
  /** Returns the port that the server listens on. */
  readonly port: () => number;
  readonly statics: StaticFiles;
  readonly files: ServedFiles;
  readonly oneTimeLink: OneTimeLink;
  /** Called when a program that does not have the token asks for a link that was issued. */
  readonly onLinkTaken: () => void;
  /** Absent if only files are shown. */
  readonly hub: LiveHub | undefined;
  readonly replays: ReplayController;
}

/**
 * Like the policy in web/index.html, but connections to other hosts are blocked, so that recordings stay on this
 * machine.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self' blob:",
  "style-src 'self'",
  'img-src blob: data:',
  'media-src blob: data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

/** Creates the HTTP app that answers the page's requests and rejects all others. */
export function pageApp(parts: PageParts): Hono {
  const { token, statics, files, oneTimeLink, hub } = parts;
  const app = new Hono();
  app.use(async (c, next) => {
    const { method, path, url } = c.req;
    const facts = { method, path, addressed: new URL(url).host, header: (name: string) => c.req.header(name) };
    const refusal = judge(facts, { token, port: parts.port() });
    if (refusal !== undefined) c.res = c.text(`Refused: ${refusal.why}.\n`, refusal.status);
    else await next();
    for (const [name, value] of Object.entries(HEADERS)) c.res.headers.set(name, value);
  });
  app.get('/api/opened', (c) => c.json({ files: files.list(), live: hub !== undefined }));
  app.get('/api/files/:id', async (c) => {
    const source = await files.open(c.req.param('id'));
    const range = rangeIn(c.req.header('range'), source.size);
    const { start, end } = range ?? { start: 0, end: source.size };
    return c.body(streamOf(source, start, end), range === undefined ? 200 : 206, {
      'Content-Type': 'application/octet-stream',
      'Content-Length': String(end - start),
      ...(range && { 'Content-Range': `bytes ${start}-${end - 1}/${source.size}` }),
    });
  });
  if (hub !== undefined) app.route('/api/live', liveRoutes(hub));
  app.route('/api/replay', replayRoutes(parts.replays, files));
  app.get('/open/:ticket', (c) => {
    if (!oneTimeLink.take(c.req.param('ticket'))) return c.notFound();
    token.replace();
    parts.onLinkTaken();
    return c.text('Refused: the token is missing. Open the link that mcpreel printed.\n', 403);
  });
  app.get('*', async (c) => {
    const file = await statics.read(c.req.path);
    if (file === undefined) return c.notFound();
    const isPage = file.type.startsWith('text/html');
    return c.body(isPage ? markedAsServed(file.bytes) : file.bytes, 200, { 'Content-Type': file.type });
  });
  app.notFound((c) => c.text('Not found.\n', 404));
  app.onError((error, c) => {
    const status = error instanceof ReelError ? (error.code === 'file-not-found' ? 404 : 409) : 500;
    return c.text(`${inOneLine(error)}\n`, status);
  });
  return app;
}

/** The page with a mark that this server serves it, so that it can report a URL without a token. */
function markedAsServed(html: Uint8Array): Uint8Array<ArrayBuffer> {
  const text = new TextDecoder().decode(html).replace('<html ', '<html data-served ');
  return new TextEncoder().encode(text);
}

/** The range of bytes that a request asks for, if it asks for one that the file has. */
function rangeIn(header: string | undefined, size: number): { start: number; end: number } | undefined {
  const [, first, last] = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(header ?? '') ?? [];
  const start = Number(first);
  const end = Math.min(size, Number(last) + 1);
  return first === undefined || start >= end ? undefined : { start, end };
}

function streamOf(source: FileSource, start: number, end: number): ReadableStream<Uint8Array> {
  const chunks = source.read(start, end);
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done === true) controller.close();
      // The source may reuse the chunk's buffer for the next one.
      else controller.enqueue(value.slice());
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}

/**
 * Creates the routes for re-running a call: the first one returns the plan, the second one runs it after the user
 * agreed.
 */
function replayRoutes(controller: ReplayController, files: ServedFiles): Hono {
  const app = new Hono();
  app.use(limitBody());
  app.post('/plan', async (c) => {
    const members = await membersIn(c);
    const of = stringIn(members, 'of');
    return c.json(await controller.plan(of, await files.origin(of), stringIn(members, 'message')));
  });
  app.post('/run', async (c) => {
    const members = await membersIn(c);
    const of = stringIn(members, 'of');
    const agreement = { nonce: stringIn(members, 'nonce'), typed: stringIn(members, 'typed') };
    // Aborts when the user leaves the page.
    const { signal } = c.req.raw;
    return c.json(await controller.run(of, await files.origin(of), stringIn(members, 'message'), agreement, signal));
  });
  return app;
}
