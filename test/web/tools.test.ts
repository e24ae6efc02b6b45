import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { Place } from '../support/place.ts';
import { unless } from '../support/unless.ts';
import { complaints, newPage, noBrowser } from './browser.ts';
import { hostPage } from './hosted-page.ts';
import { SampleTrace } from './sample-trace.ts';

const TOOLS = ['read', 'write', 'spare'].map((name) => ({ name, description: `The tool ${name}`.repeat(3) }));

function sampleTrace(): string {
  const trace = new SampleTrace('files')
    .client({ jsonrpc: '2.0', id: 'list', method: 'tools/list' })
    .wait(3)
    .server({ jsonrpc: '2.0', id: 'list', result: { tools: TOOLS } });
  for (let id = 1; id <= 40; id++) {
    const isError = id % 10 === 0;
    trace.call(id, id % 4 === 0 ? 'write' : 'read', { path: `/ü/${id}` }, { content: [], isError }, id * id);
  }
  trace.call(99, 'ghost', {}, {}, 7);
  return String(trace.end());
}

interface ToolData {
  readonly name: string;
  readonly calls: number;
  readonly errors: number;
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
  readonly p99_ms: number | null;
}

/** The content of the table rows: name, calls, errors, and the exact percentiles. */
async function rowsOf(page: Page, caption: string): Promise<ToolData[]> {
  const rows = page.getByRole('table', { name: caption }).locator('tbody tr');
  return rows.evaluateAll((all) =>
    all.map((row) => {
      const cells = [...row.querySelectorAll('td')];
      const ms = (cell: number): number | null => {
        const title = cells[cell]?.getAttribute('title');
        return title ? Number.parseFloat(title) : null;
      };
      return {
        name: (row.querySelector('th button') ?? row.querySelector('th'))?.textContent?.split(' never')[0] ?? '',
        calls: Number(cells[0]?.textContent),
        errors: Number(cells[1]?.textContent?.replace('✕ ', '')),
        p50_ms: ms(3),
        p95_ms: ms(4),
        p99_ms: ms(5),
      };
    }),
  );
}

describe('the table of tools', unless(noBrowser), () => {
  it('shows the same numbers as inspect --stats', async () => {
    const place = new Place();
    const { stdout } = await place.run(['inspect', '--stats', '--json', place.write('a.jsonl', sampleTrace())]);
    const stats = JSON.parse(stdout) as { tools: ToolData[]; never_called: string[]; not_advertised: string[] };
    const page = await newPage();
    await page.goto(`${await hostPage({ 'a.jsonl': place.read('a.jsonl') })}?trace=a.jsonl#view=tools`);
    const expected = stats.tools.map(({ name, calls, errors, p50_ms, p95_ms, p99_ms }) => ({
      name,
      calls,
      errors,
      p50_ms,
      p95_ms,
      p99_ms,
    }));
    await expect.poll(() => rowsOf(page, 'Tools')).toEqual(expected);
    expect(stats.never_called).toEqual(['spare']);
    expect(await page.locator('.tool-notes').textContent()).toContain('1 of 3 listed tools never called');
    expect(await page.locator('.tool-notes').textContent()).toContain('Called but not listed: ghost');
    const spread = page.getByRole('row', { name: 'ghost' }).getByRole('img');
    expect(await spread.getAttribute('aria-label')).toBe('1 from 4 ms to 8 ms');
    expect(complaints(page)).toEqual([]);
  });

  it('counts only visible calls if requested, and links to the calls of a tool', async () => {
    const page = await newPage();
    await page.goto(`${await hostPage({ 'a.jsonl': sampleTrace() })}?trace=a.jsonl#view=tools&q=status:error`);
    const calls = async (): Promise<(string | number)[][]> =>
      (await rowsOf(page, 'Tools')).map(({ name, calls: count }) => [name, count]);
    await expect.poll(calls).toContainEqual(['read', 30]);
    await page.getByRole('button', { name: 'Shown calls' }).click();
    await expect.poll(calls).toEqual([
      ['read', 2],
      ['write', 2],
    ]);
    await page.getByRole('button', { name: 'write', exact: true }).click();
    await expect.poll(() => page.locator('.virtual .call-open').allTextContents()).toEqual(Array(10).fill('write'));
    expect(await page.getByLabel('Filter', { exact: true }).inputValue()).toBe('tool:write');
    await page.goBack();
    await expect.poll(calls).toContainEqual(['write', 2]);
  });
});
