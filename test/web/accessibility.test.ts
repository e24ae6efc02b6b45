import { describe, expect, it } from 'vitest';
import { seriousFindings } from './axe.ts';
import { hasBrowser, newPage } from './browser.ts';
import { hostPage } from './hosted-page.ts';
import { SampleTrace } from './sample-trace.ts';

const trace = String(
  new SampleTrace('files')
    .call(1, 'read_file', { path: '/a' }, { content: [{ type: 'text', text: '{"a":[1,2]}' }] })
    .call(2, 'write_file', { path: '/b' }, { content: [], isError: true })
    .wait(60_000)
    .server({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'hello' } })
    .line('not a line of JSON')
    .end(),
);

const VIEWS = ['timeline', 'calls', 'tools', 'raw', 'session', 'diff'];

describe.skipIf(!hasBrowser)('everybody can use the page', () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    it(`in its ${colorScheme} theme, in every view`, async () => {
      const page = await newPage({ colorScheme });
      const host = await hostPage({ 'a.jsonl': trace });
      await page.goto(host);
      await page.getByRole('heading').first().waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      for (const view of VIEWS) {
        await page.goto(`${host}?trace=a.jsonl#view=${view}&m=0.0`);
        await page.reload();
        await page.locator('.footer').waitFor();
        await expect.poll(() => page.locator('.badges').textContent()).not.toContain('reading');
        expect(await seriousFindings(page), view).toEqual([]);
        expect(await page.locator('h1').allTextContents(), view).toEqual(['mcpreel: files']);
      }
    });
  }

  it('on a phone: nothing is wider than the screen, and a message fills it', async () => {
    const page = await newPage({ viewport: { width: 390, height: 800 } });
    await page.goto(`${await hostPage({ 'a.jsonl': trace })}?trace=a.jsonl`);
    await page.locator('.row-name', { hasText: 'read_file' }).click();
    await page.locator('.detail').waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(390);
    expect((await page.locator('.detail').boundingBox())?.width).toBe(390);
    const focused = (): Promise<string | null> =>
      page.evaluate(
        () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
      );
    await expect.poll(focused).toBe('Back to the list');
    await page.keyboard.press('Enter');
    await expect.poll(focused).toContain('read_file');
  });
});
