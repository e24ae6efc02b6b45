import { chmodSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Terminal } from '../cli/terminal.ts';
import { Place } from '../support/place.ts';
import { seedExample } from '../support/session-texts.ts';
import { notLinux, unless } from '../support/unless.ts';

/** A browser that only records its arguments. */
function notingBrowser(place: Place): Record<string, string> {
  place.write(
    'browser.sh',
    `#!/bin/sh\necho "$1" >> "${place.path('opened.txt')}.part"\nmv "${place.path('opened.txt')}.part" "${place.path('opened.txt')}"\n`,
  );
  chmodSync(place.path('browser.sh'), 0o755);
  return { BROWSER: place.path('browser.sh'), XDG_CURRENT_DESKTOP: '', HOME: place.folder };
}

async function opened(place: Place): Promise<string> {
  await expect.poll(() => place.files()).toContain('opened.txt');
  return place.read('opened.txt').trim();
}

it(
  'opens a browser on a terminal, with a URL that works once and does not contain the token',
  unless(notLinux),
  async () => {
    const place = new Place();
    place.write('seed.json', seedExample);
    const terminal = new Terminal('view seed.json', place, { env: notingBrowser(place) });
    const printed = await terminal.shown(/http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]+/);
    const address = await opened(place);
    const token = new URLSearchParams(new URL(printed).hash.slice(1)).get('token') ?? '';
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/open\/[\w-]{22}$/);
    expect(address).not.toContain(token);
    const first = await fetch(address, { redirect: 'manual' });
    expect([first.status, first.headers.get('location')]).toEqual([303, `/#token=${token}`]);
    expect((await fetch(address, { redirect: 'manual' })).status).toBe(410);
    terminal.interrupt();
    expect(await terminal.ended).toBe(0);
  },
);

it('demo ends with the page of its recording on a terminal', unless(notLinux), async () => {
  const place = new Place();
  const terminal = new Terminal('demo', place, { env: notingBrowser(place) });
  const printed = await terminal.shown(/http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]+/);
  expect(terminal.screen()).toContain('#011 < (response)');
  expect(await opened(place)).toContain('/open/');
  const { origin, hash } = new URL(printed);
  const headers = { authorization: `Bearer ${hash.slice('#token='.length)}` };
  const trace = await (await fetch(`${origin}/api/files/0`, { headers })).text();
  expect(trace).toBe(place.trace());
  terminal.interrupt();
  expect(await terminal.ended).toBe(0);
});
