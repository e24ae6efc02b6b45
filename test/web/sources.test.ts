import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { TOO_LONG } from '../../src/model/gap-reasons.ts';
import { AGE_ARMORED } from '../support/age-sample.ts';
import { unless } from '../support/unless.ts';
import { complaints, newPage, noBrowser } from './browser.ts';
import { hostPage } from './hosted-page.ts';
import { SampleTrace } from './sample-trace.ts';

const START_MS = Date.UTC(2026, 0, 2, 3, 4, 5);
const files = String(
  new SampleTrace('files', START_MS).call(1, 'read_file', {}, {}).wait(100).call(2, 'write_file', {}, {}).end(),
);
const memory = String(new SampleTrace('memory', START_MS + 50).call(1, 'read_graph', {}, {}).end());

const names = (page: Page): Promise<string[]> => page.locator('.row-name').allTextContents();
const lanes = (page: Page): Promise<string[]> => page.locator('.lanes li').allTextContents();
const banner = (page: Page): Promise<string> => page.getByRole('alert').innerText();

/** Drops files on the page. */
async function drop(page: Page, dropped: Readonly<Record<string, string>>, shiftKey = false): Promise<void> {
  const dataTransfer = await page.evaluateHandle((contents) => {
    const transfer = new DataTransfer();
    for (const [name, text] of Object.entries(contents)) transfer.items.add(new File([text], name));
    return transfer;
  }, dropped);
  await page.dispatchEvent('body', 'drop', { dataTransfer, shiftKey });
}

it('reports that a large file takes long before it reads it', unless(noBrowser), async () => {
  const page = await newPage();
  await page.goto(await hostPage());
  // No file of that size is needed: the page looks at the size first.
  await page.evaluate(() => {
    const own = Object.getOwnPropertyDescriptor(Blob.prototype, 'size')?.get;
    Object.defineProperty(File.prototype, 'size', {
      get(this: File) {
        return this.name === 'day.jsonl' ? 4.2e9 : own?.call(this);
      },
    });
  });
  await drop(page, { 'day.jsonl': files });
  await expect.poll(() => banner(page)).toContain('day.jsonl has 4.2 GB. The page reads all of it once');
  expect(await banner(page)).toContain('mcpreel export day.jsonl');
  await drop(page, { 'a.jsonl': files });
  await expect.poll(() => page.getByRole('alert').count()).toBe(0);
});

describe('recordings that are named in the URL', unless(noBrowser), () => {
  it('shows recordings from the URL as one timeline, ordered by time', async () => {
    const page = await newPage();
    await page.goto(`${await hostPage({ 'a.jsonl': files, 'b.jsonl': memory })}?trace=a.jsonl;b.jsonl`);
    await expect.poll(() => names(page)).toEqual(['read_file', 'read_graph', 'write_file']);
    await expect.poll(() => lanes(page)).toEqual(['files', 'memory']);
    expect(complaints(page)).toEqual([]);
  });

  it('compares recordings if the URL requests it, unless the fragment names another view', async () => {
    const page = await newPage();
    const address = await hostPage({ 'a.jsonl': files, 'b.jsonl': memory });
    await page.goto(`${address}?diff=a.jsonl;b.jsonl`);
    await expect.poll(() => page.locator('.diff-summary').innerText()).toContain('3 differences');
    await page.goto('about:blank');
    await page.goto(`${address}?diff=a.jsonl;b.jsonl#view=timeline`);
    await expect.poll(() => names(page)).toHaveLength(3);
  });

  it('loads recordings from another host over HTTPS, if that host allows it', async () => {
    const page = await newPage();
    const host = await hostPage();
    await page.route('https://x.example/**', (route) =>
      route.fulfill({ body: files, headers: { 'access-control-allow-origin': '*' } }),
    );
    await page.route('https://shut.example/**', (route) =>
      route.fulfill({ body: files, headers: { 'access-control-allow-origin': 'https://friend.example' } }),
    );
    await page.goto(`${host}?trace=https://x.example/a.jsonl`);
    await expect.poll(() => names(page)).toEqual(['read_file', 'write_file']);
    await page.goto(`${host}?trace=https://shut.example/a.jsonl`);
    await expect.poll(() => banner(page)).toContain('does not allow other origins');
  });

  it('requests nothing over plain HTTP from another host, shows the rest, and reports what failed', async () => {
    const page = await newPage();
    const other = await hostPage({ 'a.jsonl': files });
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    const host = await hostPage({ 'b.jsonl': memory, 'page.jsonl': '<!doctype html>' });
    await page.goto(`${host}?trace=${other}a.jsonl;nothing.jsonl;page.jsonl;b.jsonl`);
    await expect.poll(() => names(page)).toEqual(['read_graph']);
    await expect.poll(() => banner(page)).toContain('page.jsonl is not a known recording: it looks like an HTML page.');
    const sent = await banner(page);
    expect(sent).toContain(`Cannot open ${other}a.jsonl: only https: URLs and this host are allowed.`);
    expect(sent).toContain(`Cannot read ${host}nothing.jsonl: the server responded with 404 Not Found.`);
    expect(sent).toContain('Its 15 B begin with “<!doctype html>”.');
    expect(requests.filter((url) => url.startsWith(other))).toEqual([]);
  });
});

describe('recordings that the user opens', unless(noBrowser), () => {
  it('opens a dropped recording in place of the open one, or next to it with Shift', async () => {
    const page = await newPage();
    await page.goto(`${await hostPage({ 'a.jsonl': files })}?trace=a.jsonl#view=timeline&m=0.2`);
    await expect.poll(() => lanes(page)).toEqual(['files']);
    await drop(page, { 'b.jsonl': memory });
    await expect.poll(() => names(page)).toEqual(['read_graph']);
    expect(page.url()).not.toContain('trace=');
    expect(page.url()).not.toContain('m=');
    await drop(page, { 'a.jsonl': files }, true);
    await expect.poll(() => lanes(page)).toEqual(['memory', 'files']);
    expect(complaints(page)).toEqual([]);
  });

  it('asks whether to merge two recordings or to compare them, and in which order', async () => {
    const page = await newPage();
    await page.goto(await hostPage());
    const picked = [
      { name: 'a.jsonl', mimeType: '', buffer: Buffer.from(files) },
      { name: 'b.jsonl', mimeType: '', buffer: Buffer.from(memory) },
    ];
    const choose = (): Promise<void> => page.locator('input[type=file]').setInputFiles(picked);
    await choose();
    const question = page.getByRole('dialog', { name: 'Two recordings' });
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await page.locator('.welcome').count()).toBe(1);
    await choose();
    await question.getByRole('button', { name: 'Swap' }).click();
    await question.getByRole('button', { name: 'Compare A with B' }).click();
    await expect.poll(() => page.locator('.diff-lane').allInnerTexts()).toHaveLength(2);
    await expect.poll(() => lanes(page)).toEqual(['memory', 'files']);
    await drop(page, { 'a.jsonl': files, 'b.jsonl': memory });
    await question.getByRole('button', { name: 'Show together' }).press('Enter');
    await expect.poll(() => names(page)).toEqual(['read_file', 'read_graph', 'write_file']);
    await drop(page, { 'a.jsonl': files, 'b.jsonl': memory, 'c.jsonl': memory });
    await expect.poll(() => lanes(page)).toEqual(['files', 'memory', 'memory']);
    expect(complaints(page)).toEqual([]);
  });

  it('joins the parts of one recording', async () => {
    const part = (number: number, before: number, line: object): string => {
      const meta = { v: 1, type: 'meta', startedAt: new Date(START_MS).toISOString(), label: 'long', id: 'long' };
      return `${JSON.stringify({ ...meta, command: ['x'], part: number, before })}\n${JSON.stringify(line)}`;
    };
    const call = (seq: number, name: string): object => {
      const raw = { jsonrpc: '2.0', id: seq, method: 'tools/call', params: { name } };
      return { t: new Date(START_MS + seq).toISOString(), dir: 'in', seq, raw };
    };
    const page = await newPage();
    await page.goto(await hostPage());
    await drop(page, { 'x.part-2.jsonl': part(2, 1, call(1, 'later')) });
    await page.getByRole('button', { name: 'parts missing' }).click();
    const note = page.getByRole('complementary', { name: 'Notes on the open recordings' });
    await expect.poll(() => note.innerText()).toContain('1 entry is in other parts of the trace');
    await drop(page, { 'x.part-2.jsonl': part(2, 1, call(1, 'later')), 'x.jsonl': part(1, 0, call(0, 'first')) });
    await expect.poll(() => names(page)).toEqual(['first', 'later']);
    await expect.poll(() => lanes(page)).toEqual(['long']);
    await expect.poll(() => page.getByRole('button', { name: 'parts missing' }).count()).toBe(0);
  });

  it('opens a recording that is pasted as text', async () => {
    const page = await newPage();
    await page.goto(await hostPage());
    const paste = (text: string): Promise<void> =>
      page.evaluate((pasted) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', pasted);
        document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
      }, text);
    await paste('a shopping list');
    await expect.poll(() => page.locator('.notice').innerText()).toContain('The pasted text is not a recording.');
    await paste('{"jsonrpc":"2.0","id":1,"method":"ping"}\n{"jsonrpc":"2.0","id":1,"result":{}}');
    await expect.poll(() => names(page)).toEqual(['ping']);
    expect(await page.getByRole('button', { name: 'no times' }).getAttribute('title')).toContain('has no times');
    const imported = page.getByRole('button', { name: 'imported' });
    await expect.poll(() => imported.getAttribute('title')).toContain('events');
  });

  it('explains how to open an encrypted recording, and can read a file as another format', async () => {
    const page = await newPage();
    await page.goto(await hostPage());
    await drop(page, { 'a.age': AGE_ARMORED });
    await expect.poll(() => banner(page)).toContain('mcpreel view a.age --identity key.txt');
    await drop(page, { '-x; touch X': AGE_ARMORED });
    await expect.poll(() => banner(page)).toContain("mcpreel view './-x; touch X' --identity key.txt");
    await drop(page, { 'notes.txt': `some words\n${memory}` });
    await expect.poll(() => banner(page)).toContain('notes.txt is not a known recording: its first line is not JSON.');
    await page.locator('.welcome').waitFor();
    await page.getByLabel('Read it as').selectOption('trace');
    await expect.poll(() => names(page)).toEqual(['read_graph']);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('offers a demo session', async () => {
    const page = await newPage();
    await page.goto(await hostPage());
    await page.getByRole('button', { name: 'Open a demo session' }).click();
    await expect.poll(() => names(page)).toContain('project');
    expect(complaints(page)).toEqual([]);
  });
});

describe('an incomplete recording', unless(noBrowser), () => {
  it('shows a badge for each kind of missing data, with an explanation on click', async () => {
    const page = await newPage();
    const gap = { t: new Date(START_MS).toISOString(), type: 'event', dir: 'event', kind: 'mcpreel.gap', seq: 9 };
    const trace = new SampleTrace('files', START_MS)
      .call(1, 'login', { token: '[REDACTED:github-token:3f9a1c02]' }, { as: '[REDACTED:github-token:3f9a1c02]' })
      .line(JSON.stringify({ ...gap, raw: { missed: 3, why: 'disk full' } }))
      .line(JSON.stringify({ ...gap, raw: { missed: 1, why: TOO_LONG, size: 9, sha256: 'ab' } }))
      .line('{"t": broken');
    await page.goto(`${await hostPage({ 'a.jsonl': `${trace}{"more":` })}?trace=a.jsonl`);
    await expect
      .poll(() => page.locator('button.badge').allInnerTexts())
      .toEqual([
        'cut short',
        '3 messages missing',
        '1 message too long',
        '2 parts repaired or not read',
        '1 value redacted',
      ]);
    await page.getByRole('button', { name: 'cut short' }).click();
    const note = page.getByRole('complementary', { name: 'Notes on the open recordings' });
    await expect.poll(() => note.innerText()).toContain('The file is truncated');
    expect(await note.innerText()).toContain('The recording has no end:');
    expect(await note.innerText()).toContain('1 message longer than --max-message: only size and hash');
    expect(await note.innerText()).toContain('1 value redacted in 2 places');
    await note.getByRole('button', { name: 'Show them' }).click();
    await expect.poll(() => page.url()).toContain('view=raw');
    expect(complaints(page)).toEqual([]);
  });
});
