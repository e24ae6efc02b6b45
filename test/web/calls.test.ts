import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { unless } from '../support/unless.ts';
import { complaints, newPage, noBrowser } from './browser.ts';
import { hostPage } from './hosted-page.ts';
import { SampleTrace } from './sample-trace.ts';

const files = String(
  new SampleTrace('files')
    .call(1, 'read_file', { path: '/a' }, { content: [] }, 30)
    .call(2, 'write_file', { path: '/b' }, { content: [], isError: true }, 10)
    .call(3, 'read_file', { path: '/c' }, { content: [{ type: 'text', text: 'x'.repeat(2000) }] }, 20)
    .client({ jsonrpc: '2.0', id: 4, method: 'tools/call', params: { name: 'hang', arguments: {} } })
    .end(),
);
const notes = String(
  new SampleTrace('notes', Date.UTC(2026, 0, 2, 3, 4, 6)).call(1, 'read_file', { path: '/n' }, {}, 5).end(),
);

/** The names of the calls in the list, in order, or the texts of another column. */
function column(page: Page, name = 'call-open'): Promise<string[]> {
  return page.locator(`.virtual .${name}`).allTextContents();
}

describe('the list of calls', unless(noBrowser), () => {
  it('sorts by any column, by click and by key, and keeps the order in the URL', async () => {
    const page = await newPage();
    await page.goto(`${await hostPage({ 'a.jsonl': files })}?trace=a.jsonl#view=calls`);
    await expect.poll(() => column(page)).toEqual(['read_file', 'write_file', 'read_file', 'hang']);
    expect(await column(page, 'call-status')).toEqual(['✓ ok', '✕ error', '✓ ok', '… pending']);
    expect(await column(page, 'call-duration')).toEqual(['30 ms', '10 ms', '20 ms', '']);

    const took = page.getByRole('columnheader', { name: 'Duration' });
    await took.getByRole('button').click();
    await expect.poll(() => column(page, 'call-duration')).toEqual(['30 ms', '20 ms', '10 ms', '']);
    expect(await took.getAttribute('aria-sort')).toBe('descending');
    await page.keyboard.press('Enter');
    await expect.poll(() => column(page, 'call-duration')).toEqual(['10 ms', '20 ms', '30 ms', '']);
    expect(await took.getAttribute('aria-sort')).toBe('ascending');
    expect(new URLSearchParams(new URL(page.url()).hash.slice(1)).get('sort')).toBe('duration');

    await page.getByRole('columnheader', { name: 'Response' }).getByRole('button').click();
    await expect.poll(async () => (await column(page, 'call-received'))[0]).toBe('2.1 kB');
    await page.reload();
    await expect.poll(async () => (await column(page, 'call-received'))[0]).toBe('2.1 kB');
    expect(complaints(page)).toEqual([]);
  });

  it('groups calls by tool or server with totals, and folds groups', async () => {
    const page = await newPage();
    await page.goto(`${await hostPage({ 'a.jsonl': files, 'b.jsonl': notes })}?trace=a.jsonl;b.jsonl#view=calls`);
    await page.getByLabel('Group by').selectOption('server');
    await expect
      .poll(() => column(page))
      .toEqual(['▾ files', 'read_file', 'write_file', 'read_file', 'hang', '▾ notes', 'read_file']);
    expect(await page.locator('.call-group .call-brief').allTextContents()).toEqual(['4 calls', '1 call']);
    expect(await page.locator('.call-group .call-status').first().textContent()).toBe('✕ 1');
    await page.getByRole('button', { name: 'files', expanded: true }).click();
    await expect.poll(() => column(page)).toEqual(['▸ files', '▾ notes', 'read_file']);

    await page.getByLabel('Group by').selectOption('tool');
    await expect
      .poll(() => page.locator('.call-group .call-open').allTextContents())
      .toEqual(['▾ read_file', '▾ write_file', '▾ hang', '▾ read_file']);
    expect(await page.locator('.call-group').first().locator('.call-quantiles').textContent()).toContain('p50 20 ms');
  });

  it('applies the filter and the time range, and opens the selected call next to the list', async () => {
    const page = await newPage();
    await page.goto(`${await hostPage({ 'a.jsonl': files })}?trace=a.jsonl#view=calls&q=tool:read_file`);
    await expect.poll(() => column(page)).toEqual(['read_file', 'read_file']);
    const fromMs = Date.UTC(2026, 0, 2, 3, 4, 5) + 35;
    await page.goto(`${page.url()}&range=${fromMs}-${fromMs + 100}`);
    await expect.poll(() => column(page, 'call-duration')).toEqual(['20 ms']);
    await page.locator('.call-open').click();
    await page.locator('aside.detail, .detail').first().waitFor();
    expect(await page.locator('.call.selected .call-open').textContent()).toBe('read_file');
  });

  it('moves from call to call by key in the displayed order', async () => {
    const page = await newPage();
    await page.goto(`${await hostPage({ 'a.jsonl': files })}?trace=a.jsonl#view=calls&sort=-duration`);
    const selected = (): Promise<string[]> => page.locator('.call.selected .call-duration').allTextContents();
    await expect.poll(() => column(page, 'call-duration')).toEqual(['30 ms', '20 ms', '10 ms', '']);
    for (const expected of ['30 ms', '20 ms', '10 ms']) {
      await page.keyboard.press('j');
      await expect.poll(selected).toEqual([expected]);
    }
  });

  it('shows the turns of users and models next to it, with the calls between them', async () => {
    const sent = (role: string, text: string, at: string): string =>
      JSON.stringify({ t: `2026-01-02T03:04:${at}Z`, type: 'turn', role, blocks: [{ type: 'text', text }] });
    const trace = String(
      new SampleTrace('chat')
        .line(sent('user', 'Where is it?', '05.000'))
        .wait(10)
        .call(1, 'search', { q: 'it' }, {})
        .line(sent('assistant', 'Here <b>it</b> is.', '05.500'))
        .end(),
    );
    const page = await newPage();
    await page.goto(`${await hostPage({ 'a.jsonl': trace, 'b.jsonl': files })}?trace=a.jsonl#view=calls`);
    const items = page.getByRole('region', { name: 'Conversation' }).getByRole('listitem');
    await expect.poll(() => items.count()).toBe(3);
    expect(await items.nth(0).textContent()).toContain('Where is it?');
    expect(await items.nth(1).textContent()).toBe('✓ search5 ms');
    expect(await items.nth(2).textContent()).toContain('Here <b>it</b> is.');
    await page.goto(`${page.url().replace('a.jsonl', 'b.jsonl')}`);
    await expect.poll(() => column(page)).toHaveLength(4);
    expect(await items.count()).toBe(0);
  });
});
