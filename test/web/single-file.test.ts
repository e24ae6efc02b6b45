import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { Place } from '../support/place.ts';
import { GITHUB_TOKEN } from '../support/sample-secrets.ts';
import { unless } from '../support/unless.ts';
import { complaints, newPage, noBrowser } from './browser.ts';
import { SampleTrace } from './sample-trace.ts';

/** Texts that would end an element, a comment or a string, run as a script, or load something. */
const HOSTILE = [
  '</script><script>document.title="owned"</script>',
  '<!--<script>',
  ']]>',
  '<img src="https://x.example/p.png" onerror="document.title=\'owned\'">',
  '{{recordings}}{{script}}$&$1`',
  '\u2028\u2029\u0000\ud800',
];

/** Opens a file from disk in a browser that reports every request and every policy violation. */
async function openFile(path: string, fragment = ''): Promise<{ page: Page; requests: string[] }> {
  const page = await newPage({ offline: true });
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      document.documentElement.dataset.violation = `${violatedDirective} ${blockedURI}`;
    });
  });
  await page.goto(pathToFileURL(path).href + fragment);
  return { page, requests };
}

/** Expects that the page requested only the file itself and in-memory data, and that nothing failed. */
async function expectAlone(page: Page, requests: readonly string[]): Promise<void> {
  expect(requests.filter((url) => !/^(?:file|blob|data):/.test(url))).toEqual([]);
  expect(requests.filter((url) => url.startsWith('file:'))).toHaveLength(1);
  expect(await page.locator('html').getAttribute('data-violation')).toBeNull();
  expect(complaints(page)).toEqual([]);
}

describe('a session exported as a page', unless(noBrowser), () => {
  it('opens an exported page from disk without a network, with any payload', async () => {
    const place = new Place();
    const trace = new SampleTrace(`label ${HOSTILE[0]}`);
    for (const [id, text] of HOSTILE.entries()) {
      trace.call(id, `tool ${text}`, { text, [text]: 1 }, { content: [{ type: 'text', text }] });
    }
    place.write('a.jsonl', String(trace.call(99, 'login', { token: GITHUB_TOKEN }, {}).end()));
    const { code, stdout, stderr } = await place.run(['export', 'a.jsonl', '-f', 'html', '-o', 'a.html']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Exported 14 messages to a.html\n' });
    expect(stderr).toContain('Redacted 1 secret');
    const { page, requests } = await openFile(place.path('a.html'));
    await expect.poll(() => page.locator('.row-name').count()).toBe(HOSTILE.length + 1);
    expect(await page.locator('.row-name').first().innerText()).toContain('</script><script>');
    await page.getByRole('button', { name: '1 value redacted' }).waitFor();
    await page.locator('.row-name').first().click();
    await page.locator('.detail').waitFor();
    await page.getByLabel('Filter', { exact: true }).fill('/owned/');
    await expect.poll(() => page.locator('.row-name').count()).toBe(2);
    expect(await page.title()).not.toBe('owned');
    expect(await page.locator('img').count()).toBe(0);
    await expectAlone(page, requests);
  });

  it('opens an exported page at the position that a link names, and is no larger than necessary', async () => {
    const place = new Place();
    const trace = new SampleTrace('many');
    for (let id = 0; id < 5000; id++) trace.call(id, `tool_${id % 7}`, { id }, { content: [] });
    place.write('a.jsonl', String(trace.end()));
    await place.run(['export', 'a.jsonl', '-f', 'html', '-o', 'a.html', '--filter', 'tool:tool_3']);
    expect(statSync(place.path('a.html')).size).toBeLessThan(920_000);
    const { page, requests } = await openFile(place.path('a.html'), '#view=timeline&m=0.2');
    await expect.poll(() => page.locator('.footer').innerText()).toContain('1,428 messages');
    await expect.poll(() => page.locator('.row.selected .row-name').innerText()).toBe('tool_3');
    await expectAlone(page, requests);
  });

  it('reports what its source file lacks', async () => {
    const place = new Place();
    place.write('a.jsonl', '{"jsonrpc":"2.0","id":1,"method":"ping"}\n{"jsonrpc":"2.0","id":1,"result":{}}\n');
    await place.run(['export', 'a.jsonl', '-f', 'html', '-o', 'a.html']);
    const { page } = await openFile(place.path('a.html'));
    await expect
      .poll(() => page.locator('button.badge').allInnerTexts())
      .toEqual(['directions inferred', 'no times', 'imported']);
  });
});

describe('a comparison as a page', unless(noBrowser), () => {
  const session = (label: string, count: number, took: number): string =>
    String(new SampleTrace(label).call(1, 'stock', { item: '</script>' }, { count, took }).end());

  it('shows the result that `diff` printed', async () => {
    const place = new Place();
    place.write('a.jsonl', session('v1', 3, 1));
    place.write('b.jsonl', session('v2', 4, 2));
    const args = ['--ignore', 'tool:stock $.result.took', '--compare', 'strict', '--html', 'diff.html'];
    const { stdout } = await place.run(['diff', 'a.jsonl', 'b.jsonl', ...args]);
    expect(stdout).toContain('1 difference: 1 in values');
    const { page, requests } = await openFile(place.path('diff.html'));
    await expect.poll(() => page.locator('.diff-summary').innerText()).toContain('1 difference: 1 in values');
    expect(await page.locator('.segment.chosen').innerText()).toBe('strict');
    expect(await page.locator('.diff-rules li').innerText()).toContain('tool:stock $.result.took');
    expect(await page.locator('.diff-lane option:checked').allInnerTexts()).toEqual(['v1 · a.jsonl', 'v2 · b.jsonl']);
    await expectAlone(page, requests);
  });
});
