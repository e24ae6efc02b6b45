import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { startProxy } from '../support/http-proxy.ts';
import { startEverything } from '../support/http-servers.ts';
import { Place } from '../support/place.ts';
import { connectV2, connectV2Modern } from '../support/sdk-clients.ts';
import { unless } from '../support/unless.ts';
import { complaints, newPage, noBrowser } from './browser.ts';
import { hostPage } from './hosted-page.ts';
import { SampleTrace } from './sample-trace.ts';

const fixture = fileURLToPath(new URL('../bridge/both-eras-stdio.mjs', import.meta.url));

describe('the session view', unless(noBrowser), () => {
  it('describes a recording of server-everything over HTTP', async () => {
    const place = new Place();
    const target = await startEverything('streamable-http');
    const proxy = await startProxy(place, ['--target-url', target, '--meta', 'ticket=A-1']);
    const connected = await connectV2({ url: proxy.url, transport: 'streamable-http', resumes: false });
    await connected.client.listTools();
    for (let a = 0; a < 8; a++) await connected.call('get-sum', { a, b: 2 });
    await connected.call('no-such-tool', {}).catch(() => undefined);
    await connected.leave();
    await proxy.stop();

    const page = await newPage();
    const trace = place.read('trace.jsonl');
    await page.goto(`${await hostPage({ 'a.jsonl': trace })}?trace=a.jsonl#view=session`);
    const part = (name: string): ReturnType<typeof page.getByRole> => page.getByRole('region', { name });
    // The handshake is shown before the whole recording is read.
    await expect.poll(() => part('Handshake').textContent()).toMatch(/Revision2025-\d\d-\d\d/);
    const session = await part('Session').textContent();
    const { id } = JSON.parse(trace.slice(0, trace.indexOf('\n'))) as { id: string };
    expect(session).toContain(id);
    expect(session).toContain(`URL${target}`);
    expect(session).toContain('Transportstreamable-http');
    expect(session).toContain('A-1');
    const handshake = await part('Handshake').textContent();
    expect(handshake).toContain('mcp-servers/everything');
    expect(handshake).toMatch(/Server capabilities.*tools listChanged/);
    expect(handshake).toMatch(/Client capabilities.*elicitation/);

    await expect.poll(() => part('Findings').textContent()).toContain('no-such-tool');
    const exchanges = part('HTTP exchanges');
    await expect.poll(() => exchanges.getByRole('row').count()).toBeGreaterThan(10);
    await exchanges.getByRole('button', { name: 'Show headers' }).first().click();
    await expect.poll(() => exchanges.textContent()).toMatch(/content-type/i);
    await part('Findings')
      .getByRole('button', { name: /^#\d+$/ })
      .first()
      .click();
    await expect.poll(() => page.locator('.row.selected .row-name').textContent()).toBe('no-such-tool');
    expect(complaints(page)).toEqual([]);
  });

  it('shows the revision and capabilities of a session without a handshake', async () => {
    const place = new Place();
    const args = ['--trace-file', 'trace.jsonl', '--', process.execPath, fixture];
    const connected = await connectV2Modern({ place, args });
    await connected.client.listTools();
    await connected.client.close();
    const page = await newPage();
    await page.goto(`${await hostPage({ 'a.jsonl': place.read('trace.jsonl') })}?trace=a.jsonl#view=session`);
    const handshake = page.getByRole('region', { name: 'Handshake' });
    await expect.poll(() => handshake.textContent()).toContain('Revision2026-07-28');
    await expect.poll(() => handshake.textContent()).toMatch(/Server capabilities.*tools/);
  });

  it('shows modified messages, gaps and redactions', async () => {
    const requested = (q: string): object => ({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 's', q },
    });
    const requestHeaders = [['Authorization', 'Bearer [REDACTED:bearer-token:3f9a1c02]']];
    const exchange = { exchange: 1, method: 'POST', path: '/mcp', status: 401, requestHeaders, responseHeaders: [] };
    const event = (kind: string, raw: object): string =>
      JSON.stringify({ t: '2026-01-02T03:04:05.900Z', type: 'event', dir: 'event', kind, raw });
    const trace = new SampleTrace('edited')
      .client(requested('ducks'), { modified: true, original: requested('dogs') })
      .client({ jsonrpc: '2.0', id: 2, method: 'ping' }, { dropped: true })
      .line(event('http.exchange', exchange))
      .line(event('mcpreel.gap', { missed: 12, why: 'disk full' }))
      .line(event('stdio.stderr', { text: 'hello' }))
      .end();
    const page = await newPage();
    await page.goto(`${await hostPage({ 'a.jsonl': String(trace) })}?trace=a.jsonl#view=session`);
    await expect.poll(() => page.locator('.diff-minus').allTextContents()).toEqual(['-     "q": "dogs"']);
    expect(await page.locator('.diff-plus').allTextContents()).toEqual(['+     "q": "ducks"']);
    const changed = await page.getByRole('region', { name: 'Changed messages' }).textContent();
    expect(changed).toContain('dropped');
    expect(await page.getByRole('region', { name: 'Gaps' }).textContent()).toContain('12 missing: disk full');
    expect(await page.getByRole('region', { name: 'Session' }).textContent()).toContain('Exitstatus 0');
    await page.getByRole('button', { name: 'Show headers' }).click();
    await expect
      .poll(() => page.locator('.redacted').textContent())
      .toContain('[REDACTED:bearer-token:3f9a1c02] redacted');
    await page.getByRole('button', { name: '1 line' }).click();
    await expect.poll(() => page.locator('.row-name').allTextContents()).toEqual(['stderr']);
  });
});
