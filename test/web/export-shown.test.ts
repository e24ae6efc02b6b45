import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { Place } from '../support/place.ts';
import { unless } from '../support/unless.ts';
import { complaints, newPage, noBrowser } from './browser.ts';
import { hostPage } from './hosted-page.ts';
import { SampleTrace } from './sample-trace.ts';

const SECRET = `ghp_${'0123456789abcdefghijABCDEFGHIJ012345'}`;
const trace = String(
  new SampleTrace('files')
    .call(1, 'read_file', { path: '/a' }, { content: [{ type: 'text', text: 'one' }] })
    .call(2, 'write_file', { token: SECRET }, { content: [] })
    .call(3, 'read_file', { path: '/c' }, { content: [{ type: 'text', text: 'three' }] })
    .end(),
);

/** Exports the visible rows, and returns the file. */
async function exported(page: Page, format: string): Promise<{ readonly name: string; readonly text: string }> {
  await page.getByRole('button', { name: 'Export shown…' }).click();
  await page.getByLabel(format).check();
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: /^Export \d/ }).click();
  const download = await coming;
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  return { name: download.suggestedFilename(), text: Buffer.concat(chunks).toString() };
}

describe('exporting the visible rows', unless(noBrowser), () => {
  it('writes files that mcpreel can read, with the responses to visible requests', async () => {
    const place = new Place();
    const page = await newPage();
    await page.goto(`${await hostPage({ 'a.jsonl': trace })}?trace=a.jsonl#view=calls&q=tool:read_file+kind:request`);
    await expect.poll(() => page.locator('.virtual .call-open').count()).toBe(2);
    for (const format of ['Trace (JSON Lines)', 'Session file (JSON)', 'JSON-RPC messages (JSON Lines)']) {
      const { name, text } = await exported(page, format);
      const { code, stdout } = await place.run(['inspect', '--calls', '--json', place.write(name, text)]);
      expect(code).toBe(0);
      const calls = stdout
        .trim()
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      expect(calls.map(({ name: tool, status, jsonrpc_id: id }) => [tool, status, id])).toEqual([
        ['read_file', 'ok', 1],
        ['read_file', 'ok', 3],
      ]);
    }
    expect((await exported(page, 'Table of calls (CSV)')).text.trim().split('\r\n')).toHaveLength(3);
    expect((await exported(page, 'Report for an issue (Markdown)')).text).toContain('read_file');
    expect(complaints(page)).toEqual([]);
  });

  it('redacts secrets by default, and reports it', async () => {
    const page = await newPage();
    await page.goto(`${await hostPage({ 'a.jsonl': trace })}?trace=a.jsonl#view=calls`);
    await expect.poll(() => page.locator('.virtual .call-open').count()).toBe(3);
    const { text } = await exported(page, 'Trace (JSON Lines)');
    expect(text).not.toContain(SECRET);
    expect(text).toContain('[REDACTED:github-token:');
    await expect
      .poll(() => page.locator('.notice').textContent())
      .toContain('Exported 6 messages to files-shown.jsonl. Redacted 1 secret: 1 github-token.');
    await page.keyboard.press('s');
    await page.getByLabel('Redact secrets').uncheck();
    await page.getByRole('button', { name: 'Export shown…' }).click();
    expect((await exported(page, 'Trace (JSON Lines)')).text).toContain(SECRET);
  });
});
