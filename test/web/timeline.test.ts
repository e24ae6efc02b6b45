import { describe, expect, it } from 'vitest';
import { complaints, hasBrowser, newPage } from './browser.ts';
import { hostPage } from './hosted-page.ts';
import { SampleTrace } from './sample-trace.ts';

const trace = String(
  new SampleTrace('files')
    .call(1, 'read_file', { path: '/a' }, { content: [] })
    .call(2, 'write_file', { path: '/b' }, { content: [], isError: true })
    .end(),
);

describe.skipIf(!hasBrowser)('the timeline', () => {
  it('has a row for each call, and the answer with it', async () => {
    const page = await newPage();
    await page.goto(`${await hostPage({ 'a.jsonl': trace })}?trace=a.jsonl`);
    await expect.poll(() => page.locator('.row-name').allTextContents()).toEqual(['read_file', 'write_file']);
    expect(await page.locator('.row.failed .row-name').allTextContents()).toEqual(['write_file']);
    expect(complaints(page)).toEqual([]);
  });
});
