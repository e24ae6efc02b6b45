import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { readRequest } from '../control/read-request.ts';
import { ReelError } from '../model/errors.ts';
import type { LiveHub } from './live-hub.ts';
import { MAX_BODY_BYTES, membersIn } from './request-body.ts';

/**
 * Matches `?has=<session>:<number>`, one per session that the page knows. The number is the first line that the page
 * does not have.
 */
const HAS = /^([\w-]{1,100}):(\d{1,15})$/;

/** Creates the routes for watching and controlling running sessions. */
export function liveRoutes(hub: LiveHub): Hono {
  const app = new Hono();
  app.get('/', (c) => {
    const has = (c.req.queries('has') ?? []).flatMap((text): [string, number][] => {
      const found = HAS.exec(text);
      return found === null ? [] : [[found[1] ?? '', Number(found[2])]];
    });
    return c.body(hub.visit(new Map(has)), 200, { 'Content-Type': 'application/x-ndjson' });
  });
  app.use(limitBody());
  app.post('/:session/:what{mode|decide}', async (c) => {
    const { client } = hub.link(c.req.param('session'));
    // The same parser as for the control socket.
    const request = readRequest({ ...(await membersIn(c)), type: c.req.param('what') });
    switch (request.type) {
      case 'mode':
        return c.json(await client.setMode(request.mode, request.filter));
      case 'decide': {
        const { type, id, ...requested } = request;
        return c.json(await client.decide(id, requested));
      }
      default:
        throw new ReelError('usage', 'This session does not support that');
    }
  });
  return app;
}

export function limitBody(): ReturnType<typeof bodyLimit> {
  return bodyLimit({ maxSize: MAX_BODY_BYTES, onError: (c) => c.text('The request is too long.\n', 413) });
}
