import { chmodSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { Terminal } from '../cli/terminal.ts';
import { asNobody } from '../support/other-user.ts';
import { Place } from '../support/place.ts';
import { seedExample } from '../support/session-texts.ts';
import { notLinux, notRoot, unless } from '../support/unless.ts';

const ADDRESS = /http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]+/;

/** A browser that stays, so that its arguments can be read from /proc. */
function stayingBrowser(place: Place): Record<string, string> {
  place.write('open', '');
  onTestFinished(() => rmSync(place.path('open'), { force: true }));
  place.write('browser.sh', `#!/bin/sh\nwhile [ -e "${place.path('open')}" ]; do sleep 0.1; done\n`);
  chmodSync(place.path('browser.sh'), 0o755);
  return { BROWSER: place.path('browser.sh'), XDG_CURRENT_DESKTOP: '' };
}

/** What another user finds in the arguments of all processes. */
function argumentsSeenByNobody(): string {
  const script = 'for f in /proc/[0-9]*/cmdline; do tr "\\0" " " < $f; echo; done 2>/dev/null';
  return asNobody('sh', ['-c', script]).stdout;
}

it(
  'another user who reads the arguments of the browser gets no token, is reported, and ends the token',
  unless(notLinux ?? notRoot),
  async () => {
    const place = new Place();
    place.write('seed.json', seedExample);
    // The folders above are open to all, so that only those of mcpreel protect the file.
    chmodSync(place.folder, 0o755);
    const terminal = new Terminal('view seed.json', place, { env: stayingBrowser(place) });
    const printed = new URL(await terminal.shown(ADDRESS));
    const token = printed.hash.slice('#token='.length);
    const link = new RegExp(
      `(file|http):\\S*${basename(place.folder)}\\S*\\.html|http://127\\.0\\.0\\.1:${printed.port}/\\S+`,
    );
    await expect.poll(argumentsSeenByNobody, { timeout: 10_000 }).toMatch(link);
    const seen = argumentsSeenByNobody();
    expect(seen).not.toContain(token);
    const [address = ''] = link.exec(seen) ?? [];
    const file = fileURLToPath(address);
    const read = asNobody('cat', [file]);
    expect([read.status, read.stdout]).toEqual([1, '']);

    const ticket = basename(file, '.html');
    const asked = await fetch(`${printed.origin}/open/${ticket}`, { redirect: 'manual' });
    expect([asked.status, asked.headers.get('location')]).toEqual([403, null]);
    expect(await asked.text()).not.toContain(token);
    const reported = await terminal.shown(/Another program on this machine tried[^#]*#token=[\w-]+/);
    const replaced = reported.slice(reported.indexOf('#token=') + '#token='.length);
    expect(replaced).not.toBe(token);
    const statusWith = async (bearer: string): Promise<number> =>
      (await fetch(`${printed.origin}/api/opened`, { headers: { authorization: `Bearer ${bearer}` } })).status;
    expect(await statusWith(token)).toBe(401);
    expect(await statusWith(replaced)).toBe(200);
    // What was read from the arguments ends one token, and not those that follow.
    for (let n = 0; n < 3; n++) expect((await fetch(`${printed.origin}/open/${ticket}`)).status).toBe(404);
    expect(await statusWith(replaced)).toBe(200);
    terminal.interrupt();
    expect(await terminal.ended).toBe(0);
  },
);

it('a guessed link neither opens the page nor replaces its token', unless(notLinux), async () => {
  const place = new Place();
  place.write('seed.json', seedExample);
  const terminal = new Terminal('view --no-open seed.json', place);
  const { origin, hash } = new URL(await terminal.shown(ADDRESS));
  for (const ticket of ['x', 'AAAAAAAAAAAAAAAAAAAAAA', '%2e%2e%2f', '__proto__']) {
    expect((await fetch(`${origin}/open/${ticket}`)).status).toBe(404);
  }
  const headers = { authorization: `Bearer ${hash.slice('#token='.length)}` };
  expect((await fetch(`${origin}/api/opened`, { headers })).status).toBe(200);
});
