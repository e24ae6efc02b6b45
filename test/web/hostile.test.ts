import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { complaints, hasBrowser, newPage } from './browser.ts';
import { hostPage } from './hosted-page.ts';
import { SampleTrace } from './sample-trace.ts';

/** What turns a text around, what a terminal acts upon, and what nobody sees. */
const BAD = '\u202Ex\u001b[2J\u200b';
const MARKUP = '<img src=x onerror="document.title=1"><script>document.title=1</script>';

const event = (kind: string, raw: object): string =>
  JSON.stringify({ t: '2026-01-02T03:04:05.900Z', type: 'event', dir: 'event', kind, raw });

/** A session in which everything that a server or a client may choose is hostile. */
function hostile(said: string): string {
  const text = `${BAD}${MARKUP}${said}`;
  const tool = { name: `tool${BAD}`, description: text, inputSchema: { type: 'object', required: [`key${BAD}`] } };
  const params = { protocolVersion: text, clientInfo: { name: text, version: BAD }, capabilities: { [BAD]: {} } };
  const result = { protocolVersion: text, serverInfo: { name: text, version: said }, capabilities: { [BAD]: {} } };
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
      .server({ jsonrpc: '2.0', id: text, result: { content: [{ type: 'text', text }, { type: BAD }], [BAD]: said } })
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

/** Everything in the page that has one of the characters as it is, in its text or for screen readers. */
const unseenIn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const isBad = (text: string | null): boolean => ['\u202E', '\u001b', '\u200b'].some((c) => text?.includes(c));
    const found: string[] = [];
    for (const element of document.body.querySelectorAll('*')) {
      const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
      if (own.some((node) => isBad(node.textContent)))
        found.push(`<${element.localName} class="${element.className}">`);
      for (const { name, value } of element.attributes) if (isBad(value)) found.push(`${element.className} @${name}`);
    }
    return [...new Set(found)];
  });

describe.skipIf(!hasBrowser)('whatever was said', () => {
  it('is shown as the text that it is, with what cannot be seen made visible, in every view', async () => {
    const page = await newPage();
    const host = await hostPage({ 'a.jsonl': hostile('a'), 'b.jsonl': hostile('b') });
    const places = [
      ...['timeline', 'calls&group=tool', 'tools', 'session', 'diff', 'raw&line=14'].map((view) => `view=${view}`),
      ...['result', 'arguments', 'raw', 'timing', 'schema', 'related'].map((tab) => `view=timeline&m=0.4&tab=${tab}`),
      ...[6, 8, 9, 10, 11].map((entry) => `view=timeline&m=0.${entry}&tab=http`),
      `view=timeline&q=${encodeURIComponent(`tool:(${BAD}`)}`,
    ];
    for (const place of places) {
      await page.goto('about:blank');
      await page.goto(`${host}?trace=a.jsonl;b.jsonl#${place}`);
      await page.locator('.footer').waitFor();
      await expect.poll(() => page.locator('.badges').textContent(), { message: place }).not.toContain('reading');
      await expect.poll(() => page.locator('body').textContent(), { message: place }).toContain('‹202E›');
      if (place.includes('m=')) await page.locator('.detail[aria-busy="false"]').waitFor();
      if (place.includes('view=diff')) await page.locator('.difference').first().waitFor();
      await page.locator('.badge-waiting').first().click();
      expect(await unseenIn(page), place).toEqual(place.includes('&q=') ? [expect.stringContaining('paint')] : []);
      expect(await page.locator('img, iframe, main script').count(), place).toBe(0);
      expect(await page.title()).toBe('mcpreel');
    }
    expect(complaints(page)).toEqual([]);
  });
});
