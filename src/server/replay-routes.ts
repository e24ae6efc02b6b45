import { Hono } from 'hono';
import { limitBody } from './live-routes.ts';
import type { ReplayController } from './replay-controller.ts';
import { membersIn, stringIn, stringsIn } from './request-body.ts';
import type { ServedFiles } from './served-files.ts';

/** Making a call once more: first what would be done, then, where somebody agreed to that, doing it. */
export function replayRoutes(controller: ReplayController, files: ServedFiles): Hono {
  const app = new Hono();
  app.use(limitBody());
  app.post('/plan', async (c) => {
    const members = await membersIn(c);
    return c.json(await controller.plan(await files.origin(stringIn(members, 'of')), stringIn(members, 'message')));
  });
  app.post('/run', async (c) => {
    const members = await membersIn(c);
    const origin = await files.origin(stringIn(members, 'of'));
    // Whoever leaves the page does not want to know any more.
    const { signal } = c.req.raw;
    return c.json(await controller.run(origin, stringIn(members, 'message'), stringsIn(members, 'agreed'), signal));
  });
  return app;
}
