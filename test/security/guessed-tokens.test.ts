import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RawPeer, RawServer } from '../http/raw-peers.ts';
import { startProxy } from '../support/http-proxy.ts';
import { Place } from '../support/place.ts';
import { seedExample } from '../support/session-texts.ts';
import { ServedView } from '../view/served-view.ts';

const TOKEN = 'correct-horse-battery-staple';

/**
 * Guesses of an attacker who knows almost the whole token: empty, partial, off by one, too long, other case, other
 * type.
 */
function guesses(token: string): string[] {
  const changed = Array.from({ length: token.length }, (_, at) => `${token.slice(0, at)}~${token.slice(at + 1)}`);
  const parts = [token.slice(0, -1), token.slice(1), token.slice(0, 8)];
  return [...changed, ...parts, `${token}x`, `${token},${token}`, swapped(token), '~', 'undefined', '*', '%00'];
}

function swapped(text: string): string {
  return text.replaceAll(/[A-Za-z]/g, (c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase()));
}

async function statusOf(url: string, head: string): Promise<string> {
  const peer = await RawPeer.to(url);
  await peer.write(`${head}\r\n\r\n`);
  return (await peer.message()).start.split(' ')[1] ?? '';
}

describe('a guessed token', () => {
  it('a guessed token grants no access to the page server, and is not printed', async () => {
    const place = new Place();
    place.write('seed.json', seedExample);
    const view = await ServedView.start(place, ['seed.json', '--live']);
    // At least 128 bits, and different each time.
    expect(view.token).toMatch(/^[\w-]{22,}$/);
    const statuses = new Set<string>();
    for (const guess of guesses(view.token)) {
      for (const header of [`Bearer ${guess}`, `Bearer ${guess}\r\nAuthorization: Bearer ${view.token}`]) {
        const host = `Host: 127.0.0.1:${view.port}\r\nAuthorization: ${header}`;
        statuses.add(await statusOf(view.url, `GET /api/opened HTTP/1.1\r\n${host}`));
      }
    }
    expect([...statuses]).toEqual(['401']);
    expect((await view.ask('/api/opened')).status).toBe(200);
    const other = await ServedView.start(place, ['seed.json']);
    expect(other.token).not.toBe(view.token);
    view.process.signal('SIGINT');
    const { stdout, stderr } = await view.process.ended;
    expect(`${stdout}${stderr}`).not.toContain('~');
  });

  it('a guessed token does not pass a listener, and is in no file, message or forwarded request', async () => {
    const place = new Place();
    const server = await RawServer.open();
    const remote = ['--listen-host', '0.0.0.0', '--allow-remote', '--token', TOKEN];
    const proxy = await startProxy(place, ['--target-url', server.url, ...remote], null);
    const url = proxy.url.replace('0.0.0.0', '127.0.0.1');
    const statuses = new Set<string>();
    for (const guess of guesses(TOKEN)) {
      const named = `GET /mcp HTTP/1.1\r\nHost: recorder.example\r\nMcpreel-Token: ${guess}`;
      statuses.add(await statusOf(url, named));
      statuses.add(await statusOf(url, `${named}\r\nMcpreel-Token: ${TOKEN}`));
      statuses.add(await statusOf(url, `GET /mcp?token=${guess} HTTP/1.1\r\nHost: recorder.example`));
    }
    expect([...statuses]).toEqual(['403']);
    expect(server.count).toBe(0);
    const { outcome } = await proxy.stop();
    const left = place.files().map((name) => place.read(name));
    for (const text of [...left, outcome.stdout, outcome.stderr]) {
      expect(text).not.toContain('~');
      expect(text).not.toContain(TOKEN);
    }
  });

  // A difference of nanoseconds cannot be measured in a test.
  it.each(['server/page-token', 'transport/http/listener-guard', 'control/screen-connection'])(
    'the token is compared in constant time in %s',
    (name) => {
      const source = readFileSync(new URL(`../../src/${name}.ts`, import.meta.url), 'utf8');
      expect(source).toMatch(/timingSafeEqual\(/);
      expect(source).not.toMatch(/[tT]oken(?:\.text)? ===? (?!undefined)|===? (?:this\.#)?[tT]oken\b/);
    },
  );
});
