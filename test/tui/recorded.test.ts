import { describe, expect, it, vi } from 'vitest';
import { Place } from '../support/place.ts';
import { SampleTrace, shortSession } from './sample-traces.ts';
import { KEYS, TuiTerminal } from './tui-terminal.ts';

function openShort(columns?: number, rows?: number): { place: Place; tui: TuiTerminal } {
  const place = new Place();
  const tui = new TuiTerminal(`tui ${shortSession().write(place)}`, place, {
    ...(columns !== undefined && { columns }),
    ...(rows !== undefined && { rows }),
  });
  return { place, tui };
}

describe('a recorded session on the screen', { timeout: 60_000 }, () => {
  it('lists messages with direction, name, arguments, id and time, and marks failures', async () => {
    const { tui } = openShort();
    await tui.shows(/RECORDED {3}9 messages · 0 held · 1 error/);
    await tui.shows(/#000 +\+0\.001 ▶ initialize +id 0 +31 ms│/);
    await tui.shows(/#001 +\+0\.032 ◀ \(response\) {2}initialize +id 0/);
    await tui.shows(/#003 +\+0\.100 ▶ read_file {2}\/etc\/hosts +id 1 +31 ms│/);
    await tui.shows(/\+0\.150 · stderr {2}cache is cold/);
    await tui.shows(/✕ #008 +\+0\.331 ◀ \(response\) {2}-32602 No /);
    await tui.shows(/files · stdio → node files\.js/);
  });

  it('follows the end until the user moves, and moves by line, by page and to the ends', async () => {
    const { tui } = openShort(120, 12);
    await tui.shows(/#008 ◀/);
    tui.press('k');
    await tui.shows(/#007 ▶/);
    tui.press('g');
    await tui.shows(/#000 ▶ client → server {3}id 0/);
    expect(tui.selected()).toContain('initialize');
    tui.press('j', KEYS.down);
    await tui.shows(/#002 ▶/);
    tui.press(KEYS.up);
    await tui.shows(/#001 ◀/);
    tui.press(KEYS.pageDown);
    await tui.shows(/#005 ▶/);
    tui.press(KEYS.pageUp);
    await tui.shows(/#001 ◀/);
    tui.press('G');
    await tui.shows(/#008 ◀/);
    tui.press(KEYS.home);
    await tui.shows(/#000 ▶/);
    tui.press(KEYS.end);
    await tui.shows(/#008 ◀/);
  });

  it('jumps from a request to its response and back', async () => {
    const { tui } = openShort();
    await tui.shows(/#008 ◀ .*\n.*answers #007 after 31 ms/);
    tui.press('x');
    await tui.shows(/#007 ▶ .*\n.*answered by #008 after 31 ms {2}error/);
    tui.press('x');
    await tui.shows(/#008 ◀/);
    tui.press('g', 'j', 'j', 'x');
    await tui.shows(/This message has no request or response to go to/);
  });

  it('expands JSON in strings, and folds and unfolds it', async () => {
    const { tui } = openShort();
    await tui.shows(/9 messages/);
    tui.press('g', 'j', 'j', 'j', 'j');
    await tui.shows(/"text": json in a string \{/);
    await tui.shows(/"title": "hosts"/);
    tui.press(KEYS.tab, 'j', 'j', 'j');
    await tui.shows(/#004/);
    tui.press(KEYS.left);
    await tui.shows(/"result": \{ … \d+ characters \}/);
    await tui.hides(/"title"/);
    tui.press(KEYS.right);
    await tui.shows(/"title": "hosts"/);
    tui.press(KEYS.enter);
    await tui.shows(/"result": \{ … /);
    tui.press(' ');
    await tui.shows(/"title": "hosts"/);
  });

  it('searches in a message', async () => {
    const { tui } = openShort();
    await tui.shows(/9 messages/);
    tui.press('g', KEYS.tab, '/', 'initial');
    await tui.shows(/\/initial▏/);
    await tui.shows(/"method": "initialize"/);
    tui.press('nope');
    await tui.shows(/Not found: initialnope/);
    tui.press(KEYS.escape);
    await tui.hides(/initialnope/);
    await tui.shows(/#000/);
  });

  it('moves from one match to the next, and back', async () => {
    const place = new Place();
    const params = Object.fromEntries(Array.from({ length: 90 }, (_, i) => [`p${i}`, i % 30 === 0 ? 'here' : 'x']));
    const file = new SampleTrace().message('in', 1, { jsonrpc: '2.0', method: 'many', params }).write(place);
    const tui = new TuiTerminal(`tui ${file}`, place, { rows: 20 });
    await tui.shows(/1 message/);
    tui.press(KEYS.tab, '/', 'here');
    await tui.shows(/"p0": "here"/);
    tui.press(KEYS.enter);
    await tui.shows(/"p30": "here"/);
    tui.press(KEYS.down);
    await tui.shows(/"p60": "here"/);
    tui.press(KEYS.up);
    await tui.shows(/"p30": "here"/);
    await tui.hides(/"p60"/);
  });

  it('opens a message in $EDITOR for reading', async () => {
    const place = new Place();
    const editor = place.path(place.write('editor.sh', '#!/bin/sh\ncat "$1" > seen.json\n'));
    const tui = new TuiTerminal(`tui ${shortSession().write(place)}`, place, { env: { EDITOR: `sh ${editor}` } });
    await tui.shows(/9 messages/);
    tui.press('g');
    await tui.shows(/#000 ▶/);
    tui.press('e');
    await vi.waitFor(() => expect(JSON.parse(place.read('seen.json'))).toMatchObject({ method: 'initialize' }));
    await tui.shows(/#000 ▶/);
    expect(tui.isRestored()).toBe(false);
  });

  it('filters while the user types, reports errors, and shows all messages again on Esc', async () => {
    const { tui } = openShort();
    await tui.shows(/9 messages/);
    tui.press('/', 'tool:read_file ');
    await tui.shows(/4 of 9 messages/);
    expect(tui.screen()).not.toContain('needle');
    tui.press('status:error');
    await tui.shows(/2 of 9 messages/);
    tui.press(KEYS.enter);
    await tui.shows(/├ \/tool:read_file status:error ─/);
    tui.press(KEYS.escape);
    await tui.shows(/RECORDED {3}9 messages/);
    tui.press('/', '(');
    await tui.shows(/Expected a term after/);
    tui.press(KEYS.escape);
    await tui.shows(/RECORDED {3}9 messages/);
    tui.press('/', 'kind:stderr');
    await tui.shows(/1 of 9 messages/);
    await tui.shows(/stderr {2}cache is cold/);
  });

  it('shows the original and the sent version of a modified message', async () => {
    const place = new Place();
    const requested = (q: string): unknown => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { q } });
    const trace = new SampleTrace()
      .message('in', 1, requested('new'), { modified: true, original: requested('old') })
      .message('in', 2, requested('gone'), { dropped: true })
      .message('out', 3, { jsonrpc: '2.0', id: 1, result: {} }, { injected: true });
    const tui = new TuiTerminal(`tui ${trace.write(place)}`, place);
    await tui.shows(/3 messages/);
    await tui.shows(/ ✎ #000 /);
    await tui.shows(/ ✕ #001 /);
    await tui.shows(/ \+ #002 /);
    tui.press('g');
    await tui.shows(/✎ edited/);
    await tui.shows(/- +"q": "old"/);
    await tui.shows(/\+ +"q": "new"/);
  });

  it('shows a message that was held when the recorder was killed, and that it was never sent', async () => {
    const place = new Place();
    const trace = new SampleTrace()
      .message('in', 1, { jsonrpc: '2.0', id: 1, method: 'tools/list' })
      .action(2, { action: 'hold', of: 'a', dir: 'in', text: { jsonrpc: '2.0', id: 2, method: 'resources/list' } })
      .action(3, { action: 'release', of: 'a', as: 'drop', by: 'screen', ms: 1 })
      .action(4, { action: 'hold', of: 'b', dir: 'out', text: { jsonrpc: '2.0', id: 1, result: { tools: [] } } });
    const tui = new TuiTerminal(`tui ${trace.write(place)}`, place);
    await tui.shows(/RECORDED {3}1 message · 0 held/);
    await tui.shows(/⏸ #001 +\+0\.004 ◀ \(response\) +id 1 +not sent│/);
    await tui.shows(/⏸ held, never forwarded/);
    await tui.shows(/"tools": \[\]/);
    expect(tui.screen()).not.toContain('resources/list');
    for (const [key, why] of [
      ['f', /no message is held/],
      ['m', /no message is held/],
      ['F', /no message is held/],
      ['r', /This message was never forwarded/],
    ] as const) {
      tui.press(key);
      await tui.shows(why);
      tui.press(KEYS.escape);
      await tui.hides(why);
    }
    tui.press('k');
    await tui.shows(/#000 ▶/);
    tui.press('n');
    await tui.shows(/#001 ◀/);
  });

  it('copies the exact text through the terminal', async () => {
    const { tui } = openShort();
    await tui.shows(/9 messages/);
    tui.press('g', 'y');
    await tui.shows(/Copied \d+ characters/);
    const [, copied = ''] = /\]52;c;([A-Za-z0-9+/=]+)/.exec(tui.raw) ?? [];
    expect(Buffer.from(copied, 'base64').toString()).toBe('{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}');
  });

  it('lists every key, and reports keys that do not work with a file', async () => {
    const { tui } = openShort();
    await tui.shows(/9 messages/);
    tui.press('?');
    await tui.shows(/Ctrl\+S sends, Esc cancels/);
    tui.resize(40, 10);
    await tui.hides(/ q +quit/);
    tui.press(KEYS.pageDown, KEYS.pageDown, KEYS.pageDown, KEYS.pageDown, KEYS.pageDown, KEYS.pageDown, KEYS.pageDown);
    await tui.shows(/ q +quit/);
    tui.resize(120, 40);
    tui.press(KEYS.escape);
    await tui.shows(/#008/);
    tui.press('\u001b[200~q\u001b[201~', 's');
    await tui.shows(/Already saved: trace\.jsonl/);
    tui.press('f');
    await tui.shows(/The session is not running: no message is held/);
    tui.press('i');
    await tui.shows(/nothing to intercept/);
  });

  it('quits with q and with Ctrl-C, and restores the terminal', async () => {
    for (const key of ['q', KEYS.ctrlC]) {
      const { tui } = openShort();
      await tui.shows(/9 messages/);
      expect(tui.isRestored()).toBe(false);
      tui.press(key);
      expect(await tui.ended).toBe(0);
      expect(tui.isRestored()).toBe(true);
    }
  });

  it('shows the detail in front of the list in a narrow window', async () => {
    const { tui } = openShort(80, 24);
    await tui.shows(/9 messages/);
    expect(tui.screen()).not.toContain('"jsonrpc"');
    tui.press('g', KEYS.enter);
    await tui.shows(/┌ initialize ─/);
    await tui.shows(/"jsonrpc": "2\.0"/);
    expect(tui.screen()).not.toContain('read_file');
    tui.press(KEYS.escape);
    await tui.shows(/┌ messages ─/);
    await tui.shows(/read_file/);
  });

  it('refuses to run without a terminal, or with a file that does not exist', async () => {
    const place = new Place();
    const piped = await place.run(['tui']);
    expect(piped).toMatchObject({ code: 2, stderr: expect.stringContaining('needs a terminal') as string });
    const tui = new TuiTerminal('tui nothing.json', place);
    expect(await tui.ended).toBe(1);
    expect(tui.raw).toContain('Error: No file or session id "nothing.json"');
  });
});
