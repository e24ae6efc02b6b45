import { describe, expect, it } from 'vitest';
import { unless } from '../support/unless.ts';
import { complaints, newPage, noBrowser } from './browser.ts';
import { hostPage } from './hosted-page.ts';
import { SampleTrace } from './sample-trace.ts';

const files = new SampleTrace('files')
  .call(1, 'read_file', { path: '/a' }, { content: [] }, 20)
  .call(2, 'write_file', { path: '/b' }, { content: [], isError: true })
  .wait(60_000)
  .client({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'slow', _meta: { progressToken: 7 } } })
  .wait(100)
  .server({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 7, progress: 1, total: 2 } })
  .wait(100)
  .server({ jsonrpc: '2.0', id: 3, result: { content: [] } })
  .client({ jsonrpc: '2.0', id: 4, method: 'tools/call', params: { name: 'never' } })
  .end();
const search = new SampleTrace('search', Date.UTC(2026, 0, 2, 3, 4, 5) + 10).call(
  1,
  'find',
  { q: 'x' },
  { content: [] },
);

const traces = { 'files.jsonl': String(files), 'search.jsonl': String(search) };
const names = (page: Awaited<ReturnType<typeof newPage>>) => (): Promise<string[]> =>
  page.locator('.timeline .row-name').allTextContents();

describe('the timeline', unless(noBrowser), () => {
  it('has a row per call with its response, marks failed and open calls, and folds idle time', async () => {
    const page = await newPage();
    await page.goto(`${await hostPage(traces)}?trace=files.jsonl`);
    await expect.poll(names(page)).toEqual(['read_file', 'write_file', 'slow', 'notifications/progress', 'never']);
    expect(await page.locator('.row.failed .row-name').allTextContents()).toEqual(['write_file']);
    expect(await page.locator('.row .row-state').allTextContents()).toEqual([
      'duration',
      '20 ms',
      '✕ 5 ms',
      '200 ms',
      '',
      '…',
    ]);
    expect(await page.locator('.row-idle').textContent()).toBe('idle 1 min 0 s');
    expect(await page.locator('.bar-tick').count()).toBe(1);
    expect(complaints(page)).toEqual([]);
  });

  it('merges two servers by time, with a lane for each', async () => {
    const page = await newPage();
    await page.goto(`${await hostPage(traces)}?trace=files.jsonl;search.jsonl`);
    await expect.poll(async () => (await names(page)()).slice(0, 3)).toEqual(['read_file', 'find', 'write_file']);
    await expect.poll(() => page.locator('.lanes li').allTextContents()).toEqual(['files', 'search']);
    expect(await page.locator('.row.lane-1 .row-name').allTextContents()).toEqual(['find']);
  });

  it('works with the keyboard alone, and a link leads back to the same place', async () => {
    const page = await newPage();
    await page.goto(`${await hostPage(traces)}?trace=files.jsonl`);
    await expect.poll(names(page)).toHaveLength(5);
    await page.keyboard.press('j');
    await expect.poll(() => page.locator('.row.selected .row-name').textContent()).toBe('read_file');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await expect.poll(() => page.locator('.row.selected .row-name').textContent()).toBe('slow');
    await expect
      .poll(() => page.locator('.row.linked .row-name').allTextContents())
      .toContain('notifications/progress');
    await page.keyboard.press('o');
    await expect.poll(() => page.locator('.row-name').filter({ hasText: '(response)' }).count()).toBe(3);
    await page.keyboard.press('x');
    await expect.poll(() => page.locator('.row.selected .row-name').textContent()).toContain('(response)');
    await page.keyboard.press('t');
    await expect.poll(() => page.locator('.timeline-head .row-time').textContent()).toBe('time of day');
    const address = page.url();
    await page.reload();
    await expect.poll(() => page.locator('.row.selected .row-name').textContent()).toContain('(response)');
    expect(page.url()).toBe(address);
    await page.goBack();
    await expect.poll(() => page.locator('.timeline-head .row-time').textContent()).toBe('since start');
    await page.keyboard.press('?');
    await expect.poll(() => page.getByRole('dialog', { name: 'Keys' }).isVisible()).toBe(true);
  });

  it('filters while the user types, with suggestions and their counts', async () => {
    const page = await newPage();
    await page.goto(`${await hostPage(traces)}?trace=files.jsonl`);
    await expect.poll(names(page)).toHaveLength(5);
    await page.keyboard.press('/');
    await page.keyboard.type('tool:re');
    await expect.poll(() => page.getByRole('option').first().textContent()).toBe('tool:read_file1');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(names(page)).toEqual(['read_file']);
    expect(new URL(page.url()).hash).toContain('q=tool%3Aread_file');
    await page.getByRole('combobox', { name: 'Filter' }).fill('status:nonsense');
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('Unknown status: nonsense');
    await page.getByRole('combobox', { name: 'Filter' }).fill('');
    await page.getByRole('button', { name: '✕ 1 error' }).click();
    await expect.poll(names(page)).toEqual(['write_file']);
    await page.getByRole('button', { name: '✕ 1 error' }).click();
    await expect.poll(names(page)).toHaveLength(5);
  });

  it('restores the selection and filter when the user goes back and forward', async () => {
    const page = await newPage();
    await page.goto(`${await hostPage(traces)}?trace=files.jsonl`);
    await expect.poll(names(page)).toHaveLength(5);
    await page.locator('.row-name', { hasText: 'read_file' }).click();
    await page.locator('.row-name', { hasText: 'write_file' }).click();
    await expect.poll(() => page.locator('.row.selected .row-name').textContent()).toBe('write_file');
    await page.keyboard.press('/');
    await page.keyboard.type('tool:slow');
    await page.keyboard.press('Enter');
    await expect.poll(names(page)).toEqual(['slow']);
    await page.goBack();
    await expect.poll(names(page)).toHaveLength(5);
    await expect.poll(() => page.locator('.row.selected .row-name').textContent()).toBe('write_file');
    await page.goBack();
    await expect.poll(() => page.locator('.detail').count()).toBe(0);
    await page.goForward();
    await page.goForward();
    await expect.poll(names(page)).toEqual(['slow']);
  });

  it('keeps working if the browser refuses to change the URL', async () => {
    const page = await newPage();
    await page.addInitScript(() => {
      history.replaceState = () => {
        throw new DOMException('More often than this browser allows', 'SecurityError');
      };
    });
    await page.goto(`${await hostPage(traces)}?trace=files.jsonl`);
    await expect.poll(names(page)).toHaveLength(5);
    for (const name of ['read_file', 'write_file', 'slow']) {
      await page.keyboard.press('j');
      await expect.poll(() => page.locator('.row.selected .row-name').allTextContents()).toEqual([name]);
    }
    expect(complaints(page)).toEqual([]);
  });

  it('limits the time range with a brush', async () => {
    const page = await newPage();
    await page.goto(`${await hostPage(traces)}?trace=files.jsonl`);
    await expect.poll(names(page)).toHaveLength(5);
    const map = page.locator('.minimap');
    const box = await map.boundingBox();
    if (box === null) throw new Error('no minimap');
    await page.mouse.move(box.x, box.y + 5);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y + 5);
    await page.mouse.up();
    await expect.poll(names(page)).toEqual(['read_file', 'write_file']);
    await page.reload();
    await expect.poll(names(page)).toEqual(['read_file', 'write_file']);
    await map.focus();
    await page.keyboard.press('Escape');
    await expect.poll(names(page)).toHaveLength(5);
  });

  it('has a minimap row for each kind of each server, and names the rows', async () => {
    const page = await newPage();
    await page.goto(`${await hostPage(traces)}?trace=files.jsonl;search.jsonl`);
    const map = page.locator('.minimap');
    await expect
      .poll(() => map.locator('.unseen').textContent())
      .toBe('files: 4 calls, 1 notification. search: 1 call.');
    expect(await map.getAttribute('aria-describedby')).toBe(await map.locator('.unseen').getAttribute('id'));
    const legend = page.locator('.minimap-legend');
    const sent: string[] = [];
    const box = await map.boundingBox();
    if (box === null) throw new Error('no minimap');
    for (let y = 0; y < box.height - 1; y += 2) {
      await page.mouse.move(box.x + 50, box.y + y);
      for (const text of await legend.allInnerTexts()) if (text.trim() !== sent.at(-1)) sent.push(text.trim());
    }
    expect(sent).toEqual(['files · 4 calls', 'files · 1 notification', 'search · 1 call']);
    await page.locator('.filter input').hover();
    await expect.poll(() => legend.count()).toBe(0);
    await page.keyboard.press('Tab');
    await map.focus();
    await expect.poll(() => legend.innerText()).toBe('From above: calls · notifications');
  });

  it('reports that nothing matches, and can show everything again', async () => {
    const page = await newPage();
    await page.goto(`${await hostPage(traces)}?trace=files.jsonl#q=nowhere`);
    await page.getByText('No matches.').waitFor();
    await page.getByRole('button', { name: 'Clear filter' }).click();
    await expect.poll(names(page)).toHaveLength(5);
  });
});
