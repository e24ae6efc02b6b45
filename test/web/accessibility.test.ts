import { describe, expect, it } from 'vitest';
import { unless } from '../support/unless.ts';
import { seriousFindings, THEMES } from './axe.ts';
import { newPage, noBrowser } from './browser.ts';
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

/** Each view, and an element that shows it is ready. */
const VIEWS = {
  timeline: '.timeline .row-name',
  calls: '.virtual .call-open',
  tools: '.stage-view table',
  raw: '.raw-content',
  session: '.stage-view section',
  diff: '.diff-empty',
};

describe('accessibility of the page', unless(noBrowser), () => {
  for (const { colorScheme, rules } of THEMES) {
    it(`has no serious accessibility findings in its ${colorScheme} theme, in every view`, async () => {
      const page = await newPage({ colorScheme });
      const host = await hostPage({ 'a.jsonl': trace });
      await page.goto(host);
      await page.getByRole('heading').first().waitFor();
      expect(await seriousFindings(page, 'html', rules)).toEqual([]);
      for (const [view, content] of Object.entries(VIEWS)) {
        // The page is loaded once: the URLs differ only in their fragments.
        await page.goto(`${host}?trace=a.jsonl#view=${view}&m=0.0`);
        await page.locator(content).first().waitFor();
        if (view === 'timeline' || view === 'calls') await page.locator('.detail[aria-busy="false"]').waitFor();
        await expect.poll(() => page.locator('.badges').textContent()).not.toContain('reading');
        expect(await seriousFindings(page, 'html', rules), view).toEqual([]);
        expect(await page.locator('h1').allTextContents(), view).toEqual(['mcpreel: files']);
      }
    });
  }

  it('fits the width of a phone, where a message fills the screen', async () => {
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
