import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
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

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

async function opened(place: Place): Promise<string> {
  await expect.poll(() => place.files()).toContain('opened.txt');
  return place.read('opened.txt').trim();
}

it(
  'opens a browser on a terminal, with a private file that leads to the page and is removed once the page has asked',
  unless(notLinux),
  async () => {
    const place = new Place();
    place.write('seed.json', seedExample);
    const terminal = new Terminal('view seed.json', place, { env: notingBrowser(place) });
    const printed = await terminal.shown(/http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]+/);
    const file = fileURLToPath(await opened(place));
    expect(modeOf(file)).toBe(0o600);
    expect(modeOf(dirname(file))).toBe(0o700);
    expect(readFileSync(file, 'utf8')).toContain(`content="0; url=${printed}"`);
    const { origin, hash } = new URL(printed);
    const headers = { authorization: `Bearer ${hash.slice('#token='.length)}` };
    // A page without the token is not the one that was opened.
    expect((await fetch(`${origin}/api/opened`)).status).toBe(401);
    expect(existsSync(file)).toBe(true);
    expect((await fetch(`${origin}/api/opened`, { headers })).status).toBe(200);
    await expect.poll(() => existsSync(dirname(file))).toBe(false);
    terminal.interrupt();
    expect(await terminal.ended).toBe(0);
  },
);

it('removes the file for the browser when it ends before the page has asked', unless(notLinux), async () => {
  const place = new Place();
  place.write('seed.json', seedExample);
  const terminal = new Terminal('view seed.json', place, { env: notingBrowser(place) });
  const file = fileURLToPath(await opened(place));
  expect(existsSync(file)).toBe(true);
  terminal.interrupt();
  expect(await terminal.ended).toBe(0);
  expect(existsSync(dirname(file))).toBe(false);
});

it('prints the address again if the browser has not loaded it within 10 s', unless(notLinux), async () => {
  const place = new Place();
  place.write('seed.json', seedExample);
  // Fires the timer of 10 s at once.
  const script = place.path(
    place.write(
      'soon.cjs',
      'const start = setTimeout; globalThis.setTimeout = (run, ms, ...rest) => start(run, ms === 10_000 ? 1 : ms, ...rest);',
    ),
  );
  const env = { ...notingBrowser(place), NODE_OPTIONS: `--require ${script}` };
  const terminal = new Terminal('view seed.json', place, { env });
  await terminal.shown(/has not loaded the page yet\. Open http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}/);
  terminal.interrupt();
  expect(await terminal.ended).toBe(0);
});

it('demo ends with the page of its recording on a terminal', unless(notLinux), async () => {
  const place = new Place();
  const terminal = new Terminal('demo', place, { env: notingBrowser(place) });
  const printed = await terminal.shown(/http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]+/);
  expect(terminal.screen()).toMatch(/#010 > tools\/call get_alerts +.*error/);
  expect(await opened(place)).toMatch(/^file:.*\/open-\w+\/[\w-]{22}\.html$/);
  const { origin, hash } = new URL(printed);
  const headers = { authorization: `Bearer ${hash.slice('#token='.length)}` };
  const trace = await (await fetch(`${origin}/api/files/0`, { headers })).text();
  expect(trace).toBe(place.trace());
  terminal.interrupt();
  expect(await terminal.ended).toBe(0);
});
