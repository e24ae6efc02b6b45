import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { unless } from '../support/unless.ts';
import { seriousFindings, THEMES } from './axe.ts';
import { complaints, newPage, noBrowser } from './browser.ts';
import { hostPage } from './hosted-page.ts';
import { SampleTrace } from './sample-trace.ts';

const TOOL = {
  name: 'search',
  description: 'Searches.',
  inputSchema: { type: 'object', properties: { q: { type: 'string', maxLength: 5 } } },
};
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FAAhKDveksOjmAAAAAElFTkSuQmCC';
const WAV = Buffer.concat([
  Buffer.from('RIFF\u002c\u0000\u0000\u0000WAVEfmt \u0010\u0000\u0000\u0000\u0001\u0000\u0001\u0000', 'latin1'),
  Buffer.from([0x40, 0x1f, 0, 0, 0x40, 0x1f, 0, 0, 1, 0, 8, 0]),
  Buffer.from('data\u0008\u0000\u0000\u0000', 'latin1'),
  Buffer.alloc(8, 128),
]).toString('base64');

/** Opens a trace with one of its entries selected. */
async function openAt(trace: SampleTrace, entry: number, more = '', options = {}): Promise<Page> {
  const page = await newPage(options);
  await page.goto(`${await hostPage({ 'a.jsonl': String(trace.end()) })}?trace=a.jsonl#m=0.${entry}${more}`);
  await page.getByRole('tablist', { name: 'Detail' }).waitFor();
  return page;
}

function tab(page: Page, name: string | RegExp): Locator {
  return page.getByRole('tab', { name });
}

function panel(page: Page): Locator {
  return page.getByRole('tabpanel');
}

/** Adds a message with exactly this text, which no serializer would write. */
function exactly(trace: SampleTrace, dir: 'in' | 'out', sequence: number, raw: string): SampleTrace {
  return trace.line(`{"t":"2026-01-02T03:04:06.000Z","dir":"${dir}","seq":${sequence},"raw":${raw}}`);
}

async function clipboardOf(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}

const MAY_COPY = { permissions: ['clipboard-read', 'clipboard-write'] };

describe('the detail of a call', unless(noBrowser), () => {
  it('shows the outcome, result, arguments, related messages and problems of a call', async () => {
    const failed = JSON.stringify({ message: 'Validation Failed', status: 422 });
    const trace = new SampleTrace('github')
      .client({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
      .server({ jsonrpc: '2.0', id: 1, result: { tools: [TOOL] } })
      .client({
        ...{ jsonrpc: '2.0', id: 2, method: 'tools/call' },
        params: { name: 'search', arguments: { q: 'too long' }, _meta: { progressToken: 't' } },
      })
      .wait(120)
      .server({
        method: 'notifications/progress',
        params: { progressToken: 't', progress: 1, total: 3 },
        jsonrpc: '2.0',
      })
      .wait(100)
      .server({ jsonrpc: '2.0', id: 2, result: { content: [{ type: 'text', text: failed }], isError: true } });
    const page = await openAt(trace, 2);

    const head = page.locator('.detail-head');
    await expect.poll(() => head.textContent()).toContain('tools/call search');
    expect(await head.textContent()).toMatch(
      /#002 · id 2 · github.*status✕ tool error.*duration220 ms.*request.*response/,
    );

    expect(await tab(page, 'Result').getAttribute('aria-selected')).toBe('true');
    const lines = panel(page).locator('.tree-line');
    expect(await lines.allTextContents()).toEqual([
      '▾content [1] ',
      '▾0 text, JSON inside ',
      'message: "Validation Failed"',
      'status: 422',
      'isError: true',
    ]);
    await expect
      .poll(() => page.getByRole('list', { name: 'Findings' }).textContent())
      .toContain('q must have at most 5 characters, has 8');
    expect(await page.getByRole('list', { name: 'While it ran' }).textContent()).toContain(
      '+0.120 s◀notifications/progress1/3',
    );

    // The arrow keys move from tab to tab, and the URL follows.
    await tab(page, 'Result').press('ArrowLeft');
    await expect.poll(() => panel(page).locator('.tree-line').allTextContents()).toContain('q: "too long"');
    expect(page.url()).toContain('tab=arguments');
    await tab(page, 'Raw').click();
    await expect
      .poll(() => panel(page).locator('pre').allTextContents())
      .toEqual([
        '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search","arguments":{"q":"too long"},"_meta":{"progressToken":"t"}}}',
        expect.stringContaining(`"text":${JSON.stringify(failed)}`),
      ]);
    await tab(page, 'Timing').click();
    await expect.poll(() => page.getByRole('list', { name: 'Timing of the call' }).locator('li').count()).toBe(3);
    await tab(page, 'Schema').click();
    await expect
      .poll(() => panel(page).textContent())
      .toContain('not valid against the inputSchema: q must have at most 5 characters, has 8');
    await tab(page, 'Related 1').click();
    await panel(page)
      .getByRole('button', { name: /progress/ })
      .click();
    await expect.poll(() => page.locator('.detail-head h2').textContent()).toContain('notifications/progress');
    await page.getByRole('button', { name: 'Close details' }).click();
    await expect.poll(() => page.locator('.detail').count()).toBe(0);
    expect(complaints(page)).toEqual([]);
  });

  it('renders images, audio and links, and follows no link by itself', async () => {
    const content = [
      { type: 'image', mimeType: 'image/png', data: PNG },
      { type: 'audio', mimeType: 'audio/wav', data: WAV },
      { type: 'resource', resource: { uri: 'x:1', mimeType: 'text/html', blob: btoa('<script>') } },
      { type: 'resource_link', uri: 'https://example.invalid/a?b', name: 'a' },
      { type: 'resource_link', uri: 'javascript:alert(1)', name: 'b' },
    ];
    const page = await openAt(new SampleTrace().call(1, 'media', {}, { content }), 0);
    const image = panel(page).locator('img');
    await expect.poll(() => image.evaluate((one) => (one as HTMLImageElement).naturalWidth)).toBe(10);
    expect(await image.getAttribute('src')).toMatch(/^blob:/);
    const audio = panel(page).locator('audio');
    await expect.poll(() => audio.evaluate((one) => (one as HTMLAudioElement).readyState)).toBeGreaterThan(0);
    expect(await panel(page).textContent()).toContain('binary, 8 B');
    expect(await panel(page).locator('a[href^="http"]').count()).toBe(0);
    await panel(page).getByRole('button', { name: 'https://example.invalid/a?b' }).click();
    const link = panel(page).getByRole('link', { name: 'open in a new tab' });
    expect(await link.getAttribute('href')).toBe('https://example.invalid/a?b');
    expect(await link.getAttribute('rel')).toBe('noreferrer noopener');
    await panel(page).getByRole('button', { name: 'javascript:alert(1)' }).click();
    expect(await panel(page).textContent()).toContain('not a web address');
    expect(await panel(page).locator('a[href^="javascript"]').count()).toBe(0);
    expect(complaints(page)).toEqual([]);
  });

  it('shows hostile payloads as plain text', async () => {
    const text = '<script>window.hacked=1</script><img src=x onerror="window.hacked=1"> \u001b[31mred \u202Egnp.exe';
    const page = await openAt(
      new SampleTrace(text).call(1, text, { [text]: text }, { content: [{ type: 'text', text }] }),
      0,
    );
    const seen = '<script>window.hacked=1</script><img src=x onerror="window.hacked=1"> \\u001b[31mred \\u202egnp.exe';
    await expect.poll(() => panel(page).locator('pre').textContent()).toBe(seen);
    expect(await page.locator('.detail-name').textContent()).toBe(seen);
    await tab(page, 'Arguments').click();
    await expect.poll(() => panel(page).textContent()).toContain('\\u202e');
    await tab(page, 'Raw').click();
    await expect.poll(() => panel(page).textContent()).toContain('<script>window.hacked');
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    expect(await page.locator('.detail img, .detail script').count()).toBe(0);
    expect(complaints(page)).toEqual([]);
  });

  it('keeps digits and duplicate keys, and opens five million characters and ten thousand levels', async () => {
    const deep = `${'['.repeat(10_000)}1${']'.repeat(10_000)}`;
    const long = 'x'.repeat(5_000_000);
    const trace = new SampleTrace();
    exactly(trace, 'in', 0, '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{}}}');
    const result = `{"n":12345678901234567890,"a":1,"a":2,"deep":${deep},"long":"${long}"}`;
    exactly(trace, 'out', 1, `{"jsonrpc":"2.0","id":1,"result":${result}}`);
    const page = await openAt(trace, 0);
    const lines = panel(page).locator('.tree-line');
    await expect
      .poll(() => lines.allTextContents())
      .toEqual(expect.arrayContaining(['n: 12345678901234567890', 'a: 1', 'a: 2']));
    expect(await lines.count()).toBeLessThan(60);
    await panel(page).getByRole('button', { name: 'show all 5,000,000 characters' }).click();
    await expect
      .poll(() =>
        panel(page)
          .locator('pre')
          .evaluate((one) => one.textContent?.length),
      )
      .toBe(5_000_000);
    expect(complaints(page)).toEqual([]);
  });

  it('supports keyboard navigation, search and copying', async () => {
    const trace = new SampleTrace().call(1, 't', { list: [{ a: 1 }, { 'b c': 'it is here' }] }, { content: [] });
    const page = await openAt(trace, 0, '&tab=arguments', MAY_COPY);
    const tree = page.getByRole('tree', { name: 'Arguments' });
    const first = tree.getByRole('treeitem').first();
    await first.focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => first.getAttribute('aria-expanded')).toBe('false');
    expect(await tree.getByRole('treeitem').count()).toBe(1);
    expect(await first.textContent()).toContain('[2] { a: 1 }');

    await page.getByRole('searchbox', { name: 'Find in Arguments' }).fill('HERE');
    await expect.poll(() => tree.locator('.found').textContent()).toContain('b c: "it is here"');
    expect(await page.locator('.tree-bar [role=status]').textContent()).toBe('1 of 1');
    await page.getByRole('button', { name: 'Copy path' }).click();
    await expect.poll(() => clipboardOf(page)).toBe("$.list[1]['b c']");
    await page.getByRole('button', { name: 'Copy value' }).click();
    await expect.poll(() => clipboardOf(page)).toBe('it is here');
    expect(complaints(page)).toEqual([]);
  });

  it('scrolls the match into view, and keeps the search visible', async () => {
    const list = Array.from({ length: 90 }, (_, n) => ({ name: `item ${n}.`, lines: ['a', 'b'] }));
    const page = await openAt(new SampleTrace().call(1, 't', { list }, { content: [] }), 0, '&tab=arguments');
    await page.getByRole('searchbox', { name: 'Find in Arguments' }).fill('item 80.');
    const found = page.locator('.tree-item.found');
    await expect.poll(() => found.textContent()).toContain('item 80.');
    const isInView = (locator: Locator): Promise<boolean> =>
      locator.evaluate((one) => {
        const { top, bottom } = one.getBoundingClientRect();
        const pane = one.closest('.detail')?.getBoundingClientRect();
        return pane !== undefined && top >= pane.top && bottom <= pane.bottom;
      });
    await expect.poll(() => isInView(found)).toBe(true);
    expect(await isInView(page.getByRole('button', { name: 'Next match' }))).toBe(true);
  });

  it('says that a copied command leaves a value out', async () => {
    const trace = new SampleTrace('left out', undefined, ['server', 'a\tb']).call(1, 'say', {}, { content: [] });
    const page = await openAt(trace, 0, '', MAY_COPY);
    await page.getByRole('button', { name: 'Copy as' }).click();
    await page.getByRole('button', { name: 'shell command', exact: true }).click();
    await expect
      .poll(() => page.locator('.notice').textContent())
      .toBe('Copied as shell command. (VALUE-LEFT-OUT stands for a value that cannot be pasted into every shell.)');
  });

  it('copies a call as an equivalent command line, as code and as Markdown', async () => {
    const trace = new SampleTrace().call(1, 'say', { text: `it's "$(id)"` }, { content: [] });
    const page = await openAt(trace, 0, '', MAY_COPY);
    const copyAs = async (form: string): Promise<string> => {
      await page.getByRole('button', { name: 'Copy as' }).click();
      await page.getByRole('button', { name: form, exact: true }).click();
      await expect.poll(() => page.locator('.notice').textContent()).toBe(`Copied as ${form}.`);
      return clipboardOf(page);
    };
    expect(await copyAs('JSON-RPC')).toBe(
      String.raw`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say","arguments":{"text":"it's \"$(id)\""}}}`,
    );
    expect(await copyAs('shell command')).toContain(String.raw`"text":"it'\''s \"$(id)\""`);
    expect(await copyAs('SDK code')).toContain('await client.callTool({');
    expect(await copyAs('Markdown')).toContain('### `tools/call say`');
    expect(complaints(page)).toEqual([]);
  });

  it('reports that a notification has no params', async () => {
    const page = await openAt(new SampleTrace().client({ jsonrpc: '2.0', method: 'notifications/initialized' }), 0);
    await expect.poll(() => panel(page).textContent()).toBe('No params.');
  });

  it('shows how a message was modified, and its HTTP exchange', async () => {
    const trace = new SampleTrace().client(
      { jsonrpc: '2.0', method: 'notifications/x', params: { a: 2 } },
      {
        modified: true,
        original: { jsonrpc: '2.0', method: 'notifications/x', params: { a: 1 } },
        http: { exchange: 3 },
      },
    );
    const raw = { exchange: 3, method: 'POST', path: '/mcp', status: 202, requestHeaders: [['X-A', '1']] };
    trace.line(
      JSON.stringify({
        t: '2026-01-02T03:04:06.000Z',
        type: 'event',
        dir: 'event',
        kind: 'http.exchange',
        seq: 1,
        raw,
      }),
    );
    const page = await openAt(trace, 0, '&tab=raw');
    await expect.poll(() => page.locator('.changed-lines .diff-minus').textContent()).toBe('-     "a": 1');
    expect(await page.locator('.changed-lines .diff-plus').textContent()).toBe('+     "a": 2');
    expect(await page.locator('.detail-head').textContent()).toContain('✎ edited');
    await tab(page, 'HTTP').click();
    await expect.poll(() => panel(page).textContent()).toMatch(/POST \/mcp.*202.*X-A1/);
    expect(complaints(page)).toEqual([]);
  });

  for (const { colorScheme, rules } of THEMES) {
    it(`has no serious accessibility findings in any tab, in the ${colorScheme} theme`, async () => {
      const content = [
        { type: 'text', text: 'one\ntwo' },
        { type: 'image', mimeType: 'image/png', data: PNG },
        { type: 'audio', mimeType: 'audio/wav', data: WAV },
        { type: 'resource_link', uri: 'https://example.invalid/', name: 'a' },
      ];
      const trace = new SampleTrace()
        .client({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
        .server({ jsonrpc: '2.0', id: 1, result: { tools: [TOOL] } })
        .call(2, 'search', { q: 'too long', n: 1 }, { content, isError: true });
      const page = await openAt(trace, 2, '', { colorScheme });
      await page.getByRole('list', { name: 'Findings' }).waitFor();
      for (const name of ['Arguments', 'Result', 'Raw', 'Timing', 'Schema', /Related/]) {
        await tab(page, name).click();
        await expect.poll(() => panel(page).textContent()).not.toBe('');
        expect(await seriousFindings(page, '.detail', rules), String(name)).toEqual([]);
      }
      await page.getByRole('button', { name: 'Copy as' }).click();
      await page.getByRole('list', { name: 'Copy as' }).waitFor();
      expect(await seriousFindings(page, '.detail', rules)).toEqual([]);
    });
  }

  it('fills the screen of a phone, with a way back', async () => {
    const trace = new SampleTrace().call(1, 't', {}, { content: [] });
    const page = await openAt(trace, 0, '', { viewport: { width: 400, height: 700 } });
    expect(await page.locator('.detail').boundingBox()).toMatchObject({ x: 0, y: 0, width: 400, height: 700 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(400);
    await page.getByRole('button', { name: 'Back to the list' }).click();
    await expect.poll(() => page.locator('.detail').count()).toBe(0);
  });
});
