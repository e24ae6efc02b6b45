import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { unless } from '../support/unless.ts';
import { complaints, newPage, noBrowser } from './browser.ts';
import { hostPage } from './hosted-page.ts';
import { SampleTrace } from './sample-trace.ts';

const START = '{"v":1,"type":"meta","startedAt":"2026-01-02T03:04:05.000Z","label":"raw","command":["x"],"id":"r"}';
const ASKS =
  '{"t":"2026-01-02T03:04:05.010Z","dir":"in","seq":0,"raw":{ "jsonrpc":"2.0", "id":1.0e0, "method":"tools/list" }}';

/** A file with every kind of invalid content. */
const CONTENT = Buffer.concat([
  Buffer.from(`${START}\r\n\nnot JSON <b>\u202e\u0007\n   ${ASKS}\r\n`),
  Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x0a]),
  Buffer.from('{"t":"2026-01-02T03:04:05.02'),
]);

function texts(page: Page): Promise<string[]> {
  return page.locator('.raw-content, .raw-blank').allTextContents();
}

describe('the lines of a file', unless(noBrowser), () => {
  it('shows lines unchanged, and marks bad ones with the reason', async () => {
    const page = await newPage();
    await page.goto(`${await hostPage({ 'a.jsonl': CONTENT })}?trace=a.jsonl#view=raw`);
    await expect
      .poll(() => texts(page))
      .toEqual([
        START,
        'blank',
        'not JSON <b>\\u202e\\u0007',
        `   ${ASKS}`,
        '{"\uFFFD\uFFFD"',
        '{"t":"2026-01-02T03:04:05.02',
      ]);
    expect(await page.locator('.raw-number').allTextContents()).toEqual(['1', '2', '3', '4', '5', '6']);
    await expect
      .poll(() => page.locator('.raw-bad .raw-why').allTextContents())
      .toEqual(['not a JSON object · ', 'not UTF-8 at byte 2 · ', 'cut off in the middle · ']);
    expect(await page.locator('.raw-ending').allTextContents()).toEqual(['CR', 'CR', 'no line feed']);

    const line = (): Promise<string[]> => page.locator('.raw-pane strong').allTextContents();
    for (const expected of ['Line 3', 'Line 5', 'Line 6', 'Line 3']) {
      await page.getByRole('button', { name: 'Next bad line' }).click();
      await expect.poll(line).toEqual([expected]);
    }
    await page.getByRole('button', { name: 'Previous bad line' }).click();
    await expect.poll(line).toEqual(['Line 6']);
    expect(complaints(page)).toEqual([]);
  });

  it('links lines to their entries, and entries to their lines', async () => {
    const page = await newPage();
    await page.goto(`${await hostPage({ 'a.jsonl': CONTENT })}?trace=a.jsonl#view=raw&line=4`);
    await expect.poll(() => page.locator('.raw-whole').textContent()).toBe(`   ${ASKS}`);
    await page.getByRole('button', { name: 'Show in timeline' }).click();
    await expect.poll(() => page.locator('.row.selected .row-name').allTextContents()).toEqual(['tools/list']);
    await page.getByRole('button', { name: 'Raw', exact: true }).first().click();
    await expect.poll(() => page.locator('.raw-line.selected').getAttribute('data-line')).toBe('4');
  });

  it('goes to a line by number, also far away, and shows long lines piece by piece', async () => {
    const trace = new SampleTrace('many');
    for (let id = 0; id < 2000; id++) trace.call(id, 'echo', { id }, {});
    const long = 'é'.repeat(30_000);
    trace.client({ jsonrpc: '2.0', method: 'notifications/x', params: { long } });
    const page = await newPage();
    await page.goto(`${await hostPage({ 'a.jsonl': String(trace.end()) })}?trace=a.jsonl#view=raw`);
    const input = page.getByLabel('Line', { exact: true });
    await expect.poll(() => page.locator('.raw-goto').textContent()).toContain('of 4,003');
    await input.fill('3001');
    await input.press('Enter');
    await expect.poll(() => page.locator('.raw-line.selected .raw-content').textContent()).toContain('"id":1499');
    await page.locator('.raw-goto input').fill('4002');
    await page.locator('.raw-goto input').press('Enter');
    await expect.poll(async () => (await page.locator('.raw-whole').textContent())?.length).toBe(20_000);
    await page.getByRole('button', { name: /^Show all/ }).click();
    await expect.poll(() => page.locator('.raw-whole').textContent()).toContain(`${long}"}`);
  });
});
