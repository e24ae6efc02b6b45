import { expect, it } from 'vitest';
import type { HeldMessage } from '../../src/intercept/held-message.ts';
import { Screen } from '../intercept/screen.ts';
import type { McpreelProcess } from '../support/mcpreel-process.ts';
import { Place } from '../support/place.ts';
import { echoServer } from '../support/servers.ts';
import { type Reply, ServedView } from '../view/served-view.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const MODE = '{"mode":"intercept","filter":"method:ping dir:>"}';
const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';

interface HoldingSession {
  readonly running: McpreelProcess;
  readonly screen: Screen;
  readonly held: HeldMessage;
  readonly view: ServedView;
  readonly id: string;
}

/** A session that holds one message, and a page server that was started with this argument. */
async function holding(argument: string): Promise<HoldingSession> {
  const place = new Place();
  const running = place.start(['--', ...echoServer]);
  const screen = await Screen.open(place);
  await screen.hold('method:ping dir:>');
  running.write(PING);
  const held = await screen.nextHeld();
  place.write('seed.jsonl', screen.trace());
  const view = await ServedView.start(place, [argument]);
  const { id } = JSON.parse(screen.trace().split('\n')[0] ?? '') as { readonly id: string };
  return { running, screen, held, view, id };
}

async function decide(view: ServedView, session: string, body: object): Promise<Reply> {
  return view.ask(`/api/live/${session}/decide`, { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body) });
}

it('the first decision of two tabs about a held message counts, and the other tab is notified', async () => {
  const { running, held, view, screen, id } = await holding('--live');
  const leaving = new AbortController();
  const init = { headers: { authorization: `Bearer ${view.token}` }, signal: leaving.signal };
  const tabs = await Promise.all([1, 2].map(() => fetch(new URL('/api/live', view.url), init)));
  expect(tabs.map(({ status }) => status)).toEqual([200, 200]);
  // The page server finds the session while it runs.
  await expect
    .poll(
      async () => (await view.ask(`/api/live/${id}/mode`, { method: 'POST', headers: JSON_TYPE, body: MODE })).status,
    )
    .toBe(200);
  const both = await Promise.all([
    decide(view, id, { id: held.id, action: 'forward' }),
    decide(view, id, { id: held.id, action: 'drop' }),
  ]);
  expect(both.map(({ status }) => status).sort()).not.toEqual([200, 200]);
  expect((await screen.releaseOf(held)).id).toBe(held.id);
  expect(screen.released.filter((released) => released.id === held.id)).toHaveLength(1);
  leaving.abort();
  running.end();
  await running.ended;
});

it('a page that was started without --live controls no session', async () => {
  const { running, held, view, screen, id } = await holding('seed.jsonl');
  const refused = await decide(view, id, { id: held.id, action: 'drop' });
  expect([404, 409]).toContain(refused.status);
  expect((await view.ask('/api/live')).status).toBe(404);
  expect(screen.released).toEqual([]);
  await screen.live.decide(held.id, { action: 'forward' });
  running.end();
  await running.ended;
});
