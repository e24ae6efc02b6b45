import { describe, expect, it } from 'vitest';
import { splitCommandLine } from '../../src/model/command-line.ts';
import { Place } from '../support/place.ts';
import { unless } from '../support/unless.ts';
import { complaints, newPage, noBrowser } from './browser.ts';
import { hostPage } from './hosted-page.ts';
import { SampleTrace } from './sample-trace.ts';

const HOSTILE = '<img src=x onerror=alert(1)>\u202e';

function shop(label: string, tools: readonly object[], count: number, took: number): string {
  const text = JSON.stringify({ item: HOSTILE, count, took });
  return String(
    new SampleTrace(label)
      .client({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
      .server({ jsonrpc: '2.0', id: 1, result: { tools } })
      .call(2, 'stock', { item: 'pear' }, { content: [{ type: 'text', text }] })
      .call(3, 'same', {}, { content: [] })
      .end(),
  );
}

const before = shop('v1', [{ name: 'order', description: 'a' }, { name: 'stock' }], 3, 1.5);
const after = shop('v2', [{ name: 'stock' }], 4, 2.5);

describe('the comparison of two sessions', unless(noBrowser), () => {
  it('shows each difference with both values, and links to the messages', async () => {
    const page = await newPage();
    await page.goto(`${await hostPage({ 'a.jsonl': before, 'b.jsonl': after })}?diff=a.jsonl;b.jsonl`);
    const summary = page.locator('.diff-summary');
    await expect
      .poll(() => summary.innerText())
      .toContain('3 differences: 1 in the definitions (1 breaking), 2 in values');
    const contract = page.getByRole('region', { name: /^Definitions/ });
    await expect.poll(() => contract.innerText()).toMatch(/−\s+tool order\s+removed\s+✕ breaking/);
    const values = page.getByRole('region', { name: /^Values/ });
    await expect
      .poll(() => values.locator('.difference-place code').first().innerText())
      .toBe('$.result.content[0].text.count');
    expect(await values.locator('.side-text').allInnerTexts()).toEqual([
      expect.stringMatching(/−\s+A has\s+3/),
      expect.stringMatching(/\+\s+B has\s+4/),
      expect.stringMatching(/−\s+A has\s+1\.5/),
      expect.stringMatching(/\+\s+B has\s+2\.5/),
    ]);
    await values.getByRole('button', { name: '#003' }).last().click();
    await expect.poll(() => page.url()).toContain('m=1.3');
    await page.goBack();
    await expect.poll(() => summary.innerText()).toContain('3 differences');
    expect(await page.locator('img').count()).toBe(0);
    expect(complaints(page)).toEqual([]);
  });

  it('adds ignore rules, keeps them in the URL, and exports them as flags and as a file', async () => {
    const page = await newPage();
    await page.goto(`${await hostPage({ 'a.jsonl': before, 'b.jsonl': after })}?diff=a.jsonl;b.jsonl`);
    const summary = page.locator('.diff-summary');
    for (const [left, rows] of [
      ['2 differences', 2],
      ['1 difference:', 1],
    ] as const) {
      await page.getByText('Ignore this difference').first().click();
      await page
        .getByRole('button', { name: /^in stock/ })
        .first()
        .click();
      await expect.poll(() => summary.innerText()).toContain(left);
      // The summary is updated first: ignored differences may still be listed.
      await expect.poll(() => page.locator('.difference').count()).toBe(rows);
    }
    await page.reload();
    await expect.poll(() => summary.innerText()).toContain('1 difference: 1 in the definitions');
    await page.getByRole('button', { name: 'Show as flags' }).click();
    const flags = await page.locator('.diff-flags code').innerText();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as rules file' }).click(),
    ]);
    const place = new Place();
    place.write('a.jsonl', before);
    place.write('b.jsonl', after);
    await download.saveAs(place.path(download.suggestedFilename()));
    for (const args of [splitCommandLine(flags), ['--ignore-file', 'ignore.txt']]) {
      const { stdout } = await place.run(['diff', 'a.jsonl', 'b.jsonl', '--json', ...args]);
      expect(JSON.parse(stdout).summary).toMatchObject({ differences: 1, contract: 1, values: 0 });
    }
    await page.getByRole('button', { name: /^Compare tool:stock .*count again$/ }).click();
    await expect.poll(() => summary.innerText()).toContain('2 differences');
    await page.goBack();
    await expect.poll(() => summary.innerText()).toContain('1 difference:');
    expect(complaints(page)).toEqual([]);
  });

  it('applies the compare mode, reports when nothing differs, and lets lanes be chosen and swapped', async () => {
    const page = await newPage();
    const host = await hostPage({ 'a.jsonl': before, 'b.jsonl': after, 'c.jsonl': before });
    await page.goto(`${host}?trace=a.jsonl;b.jsonl;c.jsonl#view=diff`);
    const summary = page.locator('.diff-summary');
    await expect.poll(() => summary.innerText()).toContain('3 differences');
    await page.getByText('shape', { exact: true }).click();
    await expect.poll(() => summary.innerText()).toContain('1 difference: 1 in the definitions');
    await page.getByRole('button', { name: 'Swap A and B' }).click();
    await expect.poll(() => page.locator('.difference-head').innerText()).toMatch(/\+\s+tool order\s+added/);
    await page.getByLabel('+ B').selectOption('2');
    await page.getByLabel('− A').selectOption('0');
    await expect.poll(() => summary.innerText()).toBe('No differences: 3 and 3 calls compared.');
    expect(page.url()).toContain('compare=shape');
    expect(complaints(page)).toEqual([]);
  });

  it('asks for a second session if there is only one, and shows many differences in portions', async () => {
    const many = (of: number): string => {
      const trace = new SampleTrace(`many-${of}`);
      for (let id = 0; id < 250; id++) trace.call(id, 'count', { id }, { n: id * of });
      return String(trace.end());
    };
    const page = await newPage();
    await page.goto(`${await hostPage({ 'a.jsonl': many(2) })}?trace=a.jsonl#view=diff`);
    await page.locator('.diff-empty input[type=file]').setInputFiles({
      name: 'b.jsonl',
      mimeType: '',
      buffer: Buffer.from(many(3)),
    });
    const rows = page.locator('.difference');
    await expect.poll(() => rows.count()).toBe(100);
    await page.getByRole('button', { name: 'Show 100 more of 149' }).click();
    await expect.poll(() => rows.count()).toBe(200);
    expect(complaints(page)).toEqual([]);
  });
});
