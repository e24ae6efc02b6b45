import { describe, expect, it } from 'vitest';
import { Place } from '../support/place.ts';
import { parseTrace } from '../support/recordings.ts';
import { connectV1 } from '../support/sdk-clients.ts';
import { bothErasServer } from '../support/servers.ts';
import { KEYS, TuiTerminal } from './tui-terminal.ts';

const server = bothErasServer.map((word) => `"${word}"`).join(' ');

async function start(place: Place, flags = ''): Promise<{ tui: TuiTerminal; url: string }> {
  const tui = new TuiTerminal(`proxy start --listen-port 0 ${flags} -- ${server}`, place);
  const [url] = await tui.shows(/http:\/\/127\.0\.0\.1:\d+\/\S*/);
  return { tui, url };
}

describe('a session started on a terminal', { timeout: 90_000 }, () => {
  it('shows its screen there, and saves and ends when the screen is closed', async () => {
    const place = new Place();
    const { tui, url } = await start(place, '--session-file kept.json');
    await tui.shows(/Waiting for a client at/);
    const client = await connectV1({ url, transport: 'streamable-http' });
    await client.call('echo', { text: 'on this terminal' });
    await tui.shows(/▶ echo {2}on this terminal/);
    await client.leave();
    tui.press('q');
    expect(await tui.ended).toBe(0);
    expect(tui.isRestored()).toBe(true);
    expect(tui.screen()).toMatch(/mcpreel: Recording to .*kept\.json/s);
    expect(place.read('kept.json')).toContain('on this terminal');
    expect(parseTrace(place.trace()).end).toBeDefined();
  });

  it('gives the environment variables of its server to a replay, too', async () => {
    const place = new Place();
    const { tui, url } = await start(place, '--env SHOP_KEY=one');
    const client = await connectV1({ url, transport: 'streamable-http' });
    await client.call('echo', { text: 'once more' });
    await client.leave();
    await tui.shows(/▶ echo {2}once more/);
    tui.press('/', 'tool:echo >', KEYS.enter, 'r');
    await tui.shows(/Press y to send it/);
    tui.press('y');
    await tui.shows(/match: the response is unchanged/);
    tui.press('q');
    expect(await tui.ended).toBe(0);
  });

  it('continues when its screen is killed, and restores the terminal', async () => {
    const place = new Place();
    const { tui, url } = await start(place);
    await tui.shows(/Waiting for a client at/);
    process.kill(tui.pidOf(/ tui --of-process/), 'SIGKILL');
    await tui.shows(/The terminal UI was closed; the session is still running/);
    expect(tui.isRestored()).toBe(true);
    expect(tui.settings()).toMatch(/ icanon /);
    const client = await connectV1({ url, transport: 'streamable-http' });
    await client.call('echo', { text: 'without a screen' });
    await client.leave();
    tui.press(KEYS.ctrlC);
    expect(await tui.ended).toBe(0);
    expect(place.trace()).toContain('without a screen');
  });

  it('shows no screen with --headless', async () => {
    const place = new Place();
    const { tui } = await start(place, '--headless');
    await tui.shows(/mcpreel: Recording to/);
    expect(tui.isRestored()).toBe(true);
    tui.press(KEYS.ctrlC);
    expect(await tui.ended).toBe(0);
  });

  it('refuses --tui without a terminal or with conflicting flags', async () => {
    const place = new Place();
    const own = await place.run(['record', '--tui', '--listen-transport', 'stdio', '--', 'node']);
    expect(own).toMatchObject({ code: 2, stderr: expect.stringContaining('--tui needs clients') as string });
    const piped = await place.run(['record', '--tui', '--listen-transport', 'sse', '--', 'node']);
    expect(piped).toMatchObject({ code: 2, stderr: expect.stringContaining('--tui needs a terminal') as string });
    const both = await place.run(['record', '--tui', '--headless', '--listen-transport', 'sse', '--', 'node']);
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be used together') as string });
    const wrapped = await place.run(['--tui', '--', 'node']);
    expect(wrapped).toMatchObject({ code: 2, stderr: expect.stringContaining('another one') as string });
  });
});
