import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openTraceSource } from '../../src/record/trace-source.ts';
import { openPageServer, type PageServer } from '../../src/server/page-server.ts';
import { PageToken } from '../../src/server/page-token.ts';
import { liveSessions } from '../../src/state/live-sessions.ts';
import { LIVE_KEYS } from '../../web/views/live/live-keys.ts';
import { Place } from '../support/place.ts';
import { type Connected, connectV2 } from '../support/sdk-clients.ts';
import { unless } from '../support/unless.ts';
import { ServedView } from '../view/served-view.ts';
import { seriousFindings } from './axe.ts';
import { complaints, newPage, noBrowser } from './browser.ts';

const SERVER = fileURLToPath(new URL('../../dist/demo-server.js', import.meta.url));

/** A client that talks to a server through mcpreel, which records it. */
async function startClient(place: Place, ...flags: readonly string[]): Promise<Connected> {
  const connected = await connectV2({ place, args: ['--label', 'studio', ...flags, '--', process.execPath, SERVER] });
  onTestFinished(() => connected.leave().catch(() => undefined));
  return connected;
}

const textOf = (result: unknown): string =>
  (result as { content: { text: string }[] }).content.map(({ text }) => text).join('');

/** The tools of the calls in the timeline, in order. */
const calls = async (page: Page): Promise<string[]> =>
  (await page.locator('.row-name').allTextContents()).filter((name) =>
    ['get_weather', 'get_forecast', 'get_alerts'].includes(name),
  );

const callWeather = (client: Connected, day: number): Promise<unknown> =>
  client.call('get_weather', { city: 'Oslo', day });

const PATIENT = { timeout: 15_000 };

describe('a running session', unless(noBrowser), () => {
  it('shows a running session when it starts, follows it, does not move while paused, and keeps it after its end', async () => {
    const place = new Place();
    const view = await ServedView.start(place, ['--live']);
    const page = await newPage();
    await page.goto(view.url);
    await page.getByText('Waiting for a session to start').waitFor();
    const client = await startClient(place);
    await callWeather(client, 1);
    await expect.poll(() => calls(page), PATIENT).toEqual(['get_weather']);
    await page.locator('.badge', { hasText: '● live' }).waitFor();

    await page.getByRole('button', { name: 'Live', exact: true }).click();
    await page.getByRole('button', { name: 'Pause' }).click();
    await client.call('get_forecast', { days: 3 });
    // The page receives earlier messages before the mode change, so the call has arrived then.
    await page.getByRole('radio', { name: 'Intercept' }).check();
    await page.getByText('Holding all messages').waitFor();
    await page.getByRole('radio', { name: 'Pass through' }).check();
    await page.getByRole('button', { name: 'Timeline', exact: true }).click();
    await expect.poll(() => calls(page), PATIENT).toEqual(['get_weather']);
    await page.getByRole('button', { name: 'paused: resume' }).click();
    await expect.poll(() => calls(page), PATIENT).toEqual(['get_weather', 'get_forecast']);

    await client.leave();
    await expect.poll(() => page.locator('.badge', { hasText: '● live' }).count(), PATIENT).toBe(0);
    await page.reload();
    await expect.poll(() => calls(page), PATIENT).toEqual(['get_weather', 'get_forecast']);
    expect(page.url()).toContain(`token=${view.token}`);
    expect(complaints(page)).toEqual([]);
  });

  it('follows the last row until the user scrolls away or selects a row, and again from the end', async () => {
    const place = new Place();
    const client = await startClient(place);
    const view = await ServedView.start(place, ['--live']);
    const page = await newPage({ viewport: { width: 1000, height: 400 } });
    await page.goto(view.url);
    for (let day = 1; day <= 30; day++) await callWeather(client, day);
    const list = page.locator('.timeline .virtual');
    const isAtEnd = (): Promise<boolean> =>
      list.evaluate(({ scrollTop, clientHeight, scrollHeight }) => scrollTop + clientHeight >= scrollHeight - 2);
    const height = (): Promise<number> => list.evaluate(({ scrollHeight }) => scrollHeight);
    await expect.poll(height, PATIENT).toBeGreaterThan(30 * 28);
    await expect.poll(isAtEnd, PATIENT).toBe(true);
    await list.hover();
    await page.mouse.wheel(0, -300);
    await expect.poll(isAtEnd, PATIENT).toBe(false);
    const before = await height();
    await callWeather(client, 31);
    await expect.poll(height, PATIENT).toBeGreaterThan(before);
    expect(await isAtEnd()).toBe(false);
    await page.mouse.wheel(0, 5000);
    await expect.poll(isAtEnd, PATIENT).toBe(true);
    await callWeather(client, 32);
    await expect.poll(height, PATIENT).toBeGreaterThan(before + 28);
    await expect.poll(isAtEnd, PATIENT).toBe(true);

    await page.locator('.row-name').last().click();
    await callWeather(client, 33);
    await expect.poll(height, PATIENT).toBeGreaterThan(before + 2 * 28);
    expect(await isAtEnd()).toBe(false);
    await page.keyboard.press('G');
    await expect.poll(isAtEnd, PATIENT).toBe(true);
    await callWeather(client, 34);
    await expect.poll(height, PATIENT).toBeGreaterThan(before + 3 * 28);
    await expect.poll(isAtEnd, PATIENT).toBe(true);

    // Selects a row after the list has scrolled to a new one, and before the event of that arrives.
    await list.evaluate((element) => {
      const rows = element.getElementsByClassName('row-name');
      const observer = new MutationObserver(() => {
        observer.disconnect();
        (rows.item(rows.length - 1) as HTMLElement).click();
      });
      observer.observe(element.firstElementChild as Element, { attributes: true });
    });
    await callWeather(client, 35);
    await expect.poll(height, PATIENT).toBeGreaterThan(before + 4 * 28);
    await page.locator('.timeline [aria-selected=true], .timeline .selected').first().waitFor();
    await callWeather(client, 36);
    await expect.poll(height, PATIENT).toBeGreaterThan(before + 5 * 28);
    expect(await isAtEnd()).toBe(false);
  });

  it('holds messages from the page, which can be edited, answered, dropped and forwarded', async () => {
    const place = new Place();
    const client = await startClient(place);
    const view = await ServedView.start(place, ['--live']);
    const page = await newPage();
    await page.goto(view.url);
    await page.getByRole('button', { name: 'Live', exact: true }).click();
    const filter = page.getByRole('textbox', { name: 'What studio holds' });
    await filter.fill('tool:(');
    await filter.press('Enter');
    await page.locator('.live-fault').waitFor();
    await filter.fill('tool:get_weather dir:>');
    await filter.press('Enter');
    await page.getByText('Holding tool:get_weather dir:>').waitFor();
    // The client may be notified of a decision before the page is; a key would still apply to the previous message.
    const nothingIsHeld = (): Promise<void> => page.getByRole('heading', { name: '0 held' }).waitFor();
    await page.getByRole('heading', { name: '0 held' }).click();

    const edited = callWeather(client, 1);
    await page.getByRole('heading', { name: '1 held' }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(await page.locator('.held-clock').textContent()).toMatch(/^held \d+ s · (2[5-9]|30) s left$/);
    await page.keyboard.press('m');
    const area = page.getByRole('textbox', { name: 'Message', exact: true });
    await area.fill((await area.inputValue()).replace('"day": 1', '"day": 1,'));
    await page.getByText('✕ Not a JSON object.').waitFor();
    const warned = page.getByRole('status').filter({ hasText: 'U+202E' });
    await area.fill((await area.inputValue()).replace('"day"', '"da\u202ey"'));
    expect(await warned.textContent()).toBe('! 1 unseen character in it: 1 × U+202E (right-to-left override).');
    await area.fill((await area.inputValue()).replace('\u202e', ''));
    await warned.waitFor({ state: 'detached' });
    await area.fill((await area.inputValue()).replace('"day": 1,', '"day": 77'));
    expect(await page.locator('.changed-lines .diff-plus').textContent()).toContain('"day": 77');
    await page.getByRole('button', { name: 'Send edited message' }).click();
    expect(textOf(await edited)).toBe('Oslo, day 77: 4 °C, rain');
    await page.getByText(/get_weather edited: by you/).waitFor();
    await nothingIsHeld();

    const answered = callWeather(client, 2);
    await page.getByRole('heading', { name: '1 held' }).waitFor();
    await page.keyboard.press('a');
    const answer = page.getByRole('textbox', { name: 'Response', exact: true });
    await answer.fill('{"result":{"content":[{"type":"text","text":"Sunny"}]}}');
    await answer.press('Control+s');
    expect(textOf(await answered)).toBe('Sunny');
    await nothingIsHeld();

    const gone = new AbortController();
    const dropped = client.call('get_weather', { city: 'Oslo', day: 3 }, { signal: gone.signal });
    dropped.catch(() => undefined);
    await page.getByRole('heading', { name: '1 held' }).waitFor();
    await page.keyboard.press('d');
    await page.getByText(/get_weather dropped: by you/).waitFor();
    await nothingIsHeld();
    gone.abort();

    const forwarded = [callWeather(client, 4), callWeather(client, 5)];
    await page.getByRole('heading', { name: '2 held' }).waitFor();
    await page.keyboard.press('F');
    expect((await Promise.all(forwarded)).map(textOf)).toEqual(['Oslo, day 4: 4 °C, rain', 'Oslo, day 5: 4 °C, rain']);
    await page.keyboard.press('i');
    expect(textOf(await callWeather(client, 6))).toBe('Oslo, day 6: 4 °C, rain');
    // The only error is about the invalid filter.
    expect(complaints(page)).toEqual([expect.stringContaining('409')]);
  });

  it('forwards a held message when its timeout expires, and reports it on the page', async () => {
    const place = new Place();
    const client = await startClient(place, '--hold-timeout', '2', '--hold', 'tool:get_weather dir:>');
    const view = await ServedView.start(place, ['--live']);
    const page = await newPage();
    await page.goto(`${view.url}&view=live`);
    await page.getByText('each is forwarded automatically after 2 s').waitFor();
    const called = callWeather(client, 1);
    await page
      .getByText(/held \d s · [0-2] s left/)
      .first()
      .waitFor();
    expect(textOf(await called)).toBe('Oslo, day 1: 4 °C, rain');
    await page.getByText(/get_weather forwarded: timeout, after 2/).waitFor();
    await page.getByRole('heading', { name: '0 held' }).waitFor();
  });

  it('reconnects after a lost connection, and neither misses nor repeats messages', async () => {
    const place = new Place();
    const [first, second] = [await startClient(place), await startClient(place)];
    let server = await servePage(place, 0);
    const page = await newPage();
    await page.goto(server.url);
    await callWeather(first, 1);
    await expect.poll(() => calls(page), PATIENT).toEqual(['get_weather']);
    await server.close();
    await page.locator('.badge', { hasText: 'connection lost, reconnecting' }).waitFor();
    await first.call('get_forecast', { days: 3 });
    await callWeather(second, 1);
    await second.leave();
    server = await servePage(place, server.port);
    onTestFinished(() => server.close());
    await expect.poll(() => calls(page), PATIENT).toEqual(['get_weather', 'get_forecast', 'get_weather']);
    await page.locator('.badge', { hasText: '● live' }).waitFor();
    await callWeather(first, 2);
    await expect
      .poll(() => calls(page), PATIENT)
      .toEqual(['get_weather', 'get_forecast', 'get_weather', 'get_weather']);
  });
});

it('docs/view.md names every key of the live view, and no other', () => {
  const text = readFileSync(new URL('../../docs/view.md', import.meta.url), 'utf8');
  const table = text.slice(text.indexOf('| key in *Live* |'), text.indexOf('Held messages are shown'));
  const keys = [...table.matchAll(/^\| `(\w)` \|/gm)].map(([, key]) => key);
  expect(keys.sort()).toEqual(LIVE_KEYS.map(({ key }) => key).sort());
});

/** A page server that can be stopped and restarted, because the test chooses the token. */
function servePage(place: Place, port: number): Promise<PageServer> {
  return openPageServer({
    port,
    token: new PageToken('chosen-by-the-test'),
    webFolder: fileURLToPath(new URL('../../dist/web', import.meta.url)),
    files: [],
    openTrace: openTraceSource,
    live: {
      running: () => liveSessions(place.home, (pid, signal) => process.kill(pid, signal)),
      findTrace: async (id) =>
        place
          .traces()
          .map((name) => place.path(name))
          .find((name) => name.includes(id.slice(0, 8))),
    },
    env: {},
    folder: place.folder,
    nowMs: Date.now,
    newId: randomUUID,
    startServer: () => Promise.reject(new Error('no server is started here')),
  });
}
