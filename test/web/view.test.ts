import { describe, expect, it } from 'vitest';
import { Place } from '../support/place.ts';
import { unless } from '../support/unless.ts';
import { recordProgram } from '../tui/changing-session.ts';
import { ServedView } from '../view/served-view.ts';
import { complaints, newPage, noBrowser } from './browser.ts';
import { SampleTrace } from './sample-trace.ts';

const PATIENT = { timeout: 15_000 };

describe('mcpreel view', unless(noBrowser), () => {
  it('shows several recordings in one timeline, and the same after a reload', async () => {
    const place = new Place();
    const startMs = Date.UTC(2026, 0, 2);
    const trace = (label: string, tool: string, atMs: number): string =>
      String(
        new SampleTrace(label, startMs + atMs)
          .call(1, tool, {}, { content: [] })
          .wait(1000)
          .call(2, `${tool}_again`, {}, {})
          .end(),
      );
    place.write('b.jsonl', trace('second', 'open', 500));
    place.write('a.jsonl', trace('first', 'close', 0));
    const view = await ServedView.start(place, ['b.jsonl', 'a.jsonl']);
    const page = await newPage();
    await page.goto(view.url);
    const names = ['close', 'open', 'close_again', 'open_again'];
    await expect.poll(() => page.locator('.row-name').allTextContents(), PATIENT).toEqual(names);
    await expect.poll(() => page.locator('.lanes').textContent()).toMatch(/second.*first/);
    expect(await page.getByRole('button', { name: 'Live', exact: true }).count()).toBe(0);
    await page.locator('.row-name', { hasText: 'close_again' }).click();
    await page.reload();
    await expect.poll(() => page.locator('.row-name').allTextContents(), PATIENT).toEqual(names);
    expect(await page.locator('.row.selected .row-name').textContent()).toBe('close_again');
    expect(complaints(page)).toEqual([]);
  });

  it('explains what to do if the token is invalid', async () => {
    const place = new Place();
    place.write('a.jsonl', String(new SampleTrace('first').end()));
    const view = await ServedView.start(place, ['a.jsonl']);
    const page = await newPage();
    await page.goto(view.url.replace(view.token, 'stale'));
    await page.getByRole('alert').filter({ hasText: 'open the link that mcpreel printed' }).waitFor();
  });

  it('explains what to do if the URL has no token', async () => {
    const place = new Place();
    place.write('a.jsonl', String(new SampleTrace('first').end()));
    const view = await ServedView.start(place, ['a.jsonl']);
    const page = await newPage();
    await page.goto(view.url.replace(/#.*/, ''));
    await page
      .getByRole('alert')
      .filter({ hasText: 'The URL has no token. Open the link that mcpreel printed.' })
      .waitFor();
    expect(complaints(page)).toEqual([]);
  });

  it('repeats a call after confirmation, and shows how its response differs', async () => {
    const place = new Place();
    await (await recordProgram(place, [['count'], ['same']])).end();
    const view = await ServedView.start(place, []);
    const page = await newPage();
    await page.goto(view.url);
    const dialog = page.getByRole('dialog');
    const replay = async (tool: string): Promise<void> => {
      await page.locator('.row-name', { hasText: tool }).click();
      await page.getByRole('button', { name: 'Replay', exact: true }).click();
      await dialog.getByText('changing-server.mjs').waitFor();
      await dialog.getByText('Side effects will happen again.').waitFor();
    };
    await replay('count');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => dialog.count(), PATIENT).toBe(0);
    expect(place.read('count.calls')).toBe('x');
    await replay('count');
    await dialog.getByRole('button', { name: 'Replay', exact: true }).click();
    await dialog.getByText('! changed: 1 value').waitFor();
    expect(await dialog.locator('.diff-plus').textContent()).toContain('2');
    expect(place.read('count.calls')).toBe('xx');
    await page.keyboard.press('Escape');
    await replay('same');
    await dialog.getByRole('button', { name: 'Replay', exact: true }).click();
    await dialog.getByText('✓ match: the response is unchanged').waitFor();
    expect(complaints(page)).toEqual([]);
  });
});
