import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { isLongRun } from '../support/long-run.ts';
import { unless } from '../support/unless.ts';
import { NEEDED, UNSEEN } from '../support/unseen-characters.ts';
import { complaints, newPage, noBrowser } from './browser.ts';
import { hostPage } from './hosted-page.ts';
import { SampleTrace } from './sample-trace.ts';

/** Bidi controls, terminal escapes and invisible characters, the known ones first because names are cut. */
const BAD = `\u202Ex\u001b[2J\u200b${Object.values(UNSEEN).join('x')}`;
const GOOD = Object.values(NEEDED).join(' ');
const MARKUP = '<img src=x onerror="document.title=1"><script>document.title=1</script>';

const event = (kind: string, raw: object): string =>
  JSON.stringify({ t: '2026-01-02T03:04:05.900Z', type: 'event', dir: 'event', kind, raw });

/** A session with hostile text in every field that a server or a client may choose. */
function hostile(sent: string): string {
  const text = `${BAD}${MARKUP}${sent}`;
  const tool = { name: `tool${BAD}`, description: text, inputSchema: { type: 'object', required: [`key${BAD}`] } };
  const params = { protocolVersion: text, clientInfo: { name: text, version: BAD }, capabilities: { [BAD]: {} } };
  const result = { protocolVersion: text, serverInfo: { name: text, version: sent }, capabilities: { [BAD]: {} } };
  const exchange = { exchange: 1, method: BAD, path: text, status: 500, error: text };
  return String(
    new SampleTrace(`label${BAD}`)
      .client({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
      .server({ jsonrpc: '2.0', id: 1, result: { ...result, instructions: text } })
      .client({ jsonrpc: '2.0', id: 2, method: 'tools/list' })
      .server({ jsonrpc: '2.0', id: 2, result: { tools: [{ ...tool, [`member${BAD}`]: text }] } })
      .client({
        jsonrpc: '2.0',
        id: text,
        method: 'tools/call',
        params: { name: tool.name, arguments: { [BAD]: text } },
      })
      .server({ jsonrpc: '2.0', id: text, result: { content: [{ type: 'text', text }, { type: BAD }], [BAD]: sent } })
      .client({ jsonrpc: '2.0', id: 4, method: `method${BAD}` }, { modified: true, original: { [BAD]: text } })
      .server({ jsonrpc: '2.0', id: 4, error: { code: 1, message: text } })
      .line(event('http.exchange', { ...exchange, requestHeaders: [[text, text]], responseHeaders: [] }))
      .line(event('mcpreel.gap', { missed: 1, why: text }))
      .line(event('stdio.stderr', { text }))
      .line(JSON.stringify({ t: '2026-01-02T03:04:05.901Z', type: 'turn', role: text, model: text, text }))
      .line(`no JSON ${BAD}`)
      .end(),
  );
}

/** Every element of the page that contains one of the characters unescaped, in its text or for screen readers. */
const unseenIn = (page: Page): Promise<string[]> =>
  page.evaluate((characters) => {
    const isBad = (text: string | null): boolean => characters.some((c) => text?.includes(`x${c}x`));
    const found: string[] = [];
    for (const element of document.body.querySelectorAll('*')) {
      const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
      if (own.some((node) => isBad(node.textContent)))
        found.push(`<${element.localName} class="${element.className}">`);
      for (const { name, value } of element.attributes) if (isBad(value)) found.push(`${element.className} @${name}`);
    }
    return [...new Set(found)];
  }, Object.values(UNSEEN));

/** The views that show message content, and an element that shows each is ready. */
const PLACES: readonly { readonly fragment: string; readonly content: string }[] = [
  { fragment: 'view=timeline', content: '.timeline .row-name' },
  { fragment: 'view=calls&group=tool', content: '.virtual .call-open' },
  { fragment: 'view=tools', content: '.stage-view table' },
  { fragment: 'view=session', content: '.stage-view section' },
  { fragment: 'view=diff', content: '.difference' },
  { fragment: 'view=raw&line=14', content: '.raw-whole' },
  ...['result', 'arguments', 'raw', 'timing', 'schema', 'related'].map((tab) => ({
    fragment: `view=timeline&m=0.4&tab=${tab}`,
    content: `.detail[aria-busy="false"] [role=tab][aria-selected=true]:text-matches("^${tab}", "i")`,
  })),
  ...[6, 8, 9, 10, 11].map((entry) => ({
    fragment: `view=timeline&m=0.${entry}&tab=http`,
    content: '.detail[aria-busy="false"]',
  })),
  {
    fragment: `view=timeline&q=${encodeURIComponent(`tool:(${BAD.replaceAll(/\p{Cs}/gu, '')}`)}`,
    content: '.filter [role=alert], [role=alert]',
  },
];

describe('hostile payloads on the page', unless(noBrowser), () => {
  it('shows emoji and scripts that need joiners as they were sent', async () => {
    const page = await newPage();
    const trace = new SampleTrace('label')
      .client({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: GOOD, arguments: { good: GOOD } } })
      .server({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: GOOD }] } })
      .end();
    const host = await hostPage({ 'a.jsonl': String(trace) });
    await page.goto(`${host}?trace=a.jsonl#view=timeline&m=0.0&tab=result`);
    const detail = page.locator('.detail[aria-busy="false"]');
    await expect.poll(() => detail.locator('[role=tabpanel]').textContent()).toContain(GOOD);
    expect(await detail.textContent()).not.toContain('\\u');
  });

  it('shows hostile payloads as plain text in every view, with invisible characters made visible', async () => {
    const page = await newPage();
    const host = await hostPage({ 'a.jsonl': hostile('a'), 'b.jsonl': hostile('b') });
    for (const { fragment, content } of PLACES) {
      // A fragment alone does not reload the page; long runs reload it for every place.
      if (isLongRun) await page.goto('about:blank');
      else await page.goto(`${host}?trace=a.jsonl;b.jsonl#view=timeline`);
      await page.locator('.detail').waitFor({ state: 'detached' });
      await page.goto(`${host}?trace=a.jsonl;b.jsonl#${fragment}`);
      await page.locator('.footer').waitFor();
      await expect.poll(() => page.locator('.badges').textContent(), { message: fragment }).not.toContain('reading');
      await page.locator(content).first().waitFor();
      await expect.poll(() => page.locator('body').textContent(), { message: fragment }).toContain('\\u202e');
      const explain = page.locator('.badge-waiting').first();
      if ((await explain.getAttribute('aria-expanded')) !== 'true') await explain.click();
      const painted = fragment.includes('&q=') ? [expect.stringContaining('paint')] : [];
      expect(await unseenIn(page), fragment).toEqual(painted);
      expect(await page.locator('img, iframe, main script').count(), fragment).toBe(0);
      expect(await page.title()).toBe('mcpreel');
    }
    expect(complaints(page)).toEqual([]);
  });
});
