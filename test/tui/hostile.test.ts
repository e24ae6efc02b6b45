import { describe, expect, it, vi } from 'vitest';
import { inLongRuns } from '../support/long-run.ts';
import { Place } from '../support/place.ts';
import { echoServer } from '../support/servers.ts';
import { NEEDED, UNSEEN } from '../support/unseen-characters.ts';
import { SampleTrace, said } from './sample-traces.ts';
import { KEYS, TuiTerminal } from './tui-terminal.ts';

/** Sizes that show list and detail one at a time, and side by side. */
const SIZES = inLongRuns(
  [
    [40, 10],
    [80, 24],
    [120, 40],
    [200, 60],
  ] as const,
  [
    [40, 10],
    [120, 40],
  ] as const,
);

const HOSTILE: Readonly<Record<string, string>> = {
  'colours and cursor moves': '\u001b[31mred\u001b[2J\u001b[H\u001b[?1049l',
  'a title and a clipboard': '\u001b]0;owned\u0007\u001b]52;c;b3duZWQ=\u0007',
  'C1 controls': 'a\u009b31mb\u0090c\u009c\u0085d\u007f',
  'reading directions': '\u202egnp.exe\u202c \u2066x\u2069 \u200f\u061c',
  'nothing to see': 'a\u200b\u200c\u200d\u2060\ufeff\u00adb\u{e0041}',
  'wide characters': '日本語のとても長い名前がここにあります한국어도있습니다全角',
  emoji: '👩‍👩‍👧‍👦 🏳️‍🌈 ❤️ 👍🏽 🇩🇪',
  'marks upon marks': `Z${'\u0300\u0301\u0302\u0303'.repeat(200)}algo`,
  'lone halves': '\ud800 \udc00 x',
  'other scripts': 'שלום עולם مرحبا हिन्दी ไทย',
  'new lines': 'one\ntwo\r\nthree\u2028four\tfive\u000b\u000c',
  'every unseen character': `x${Object.values(UNSEEN).join('x')}`,
  'what must stay': Object.values(NEEDED).join(' '),
  markup: '<script>alert(1)</script> {bold}x{/bold} [red]y[/red] \\u001b[31m',
};

/** A session with a hostile value for every name. */
function hostileSession(): SampleTrace {
  const trace = new SampleTrace();
  for (const [index, text] of Object.values(HOSTILE).entries()) {
    trace.call(index, index * 100, text, { [text]: text }, index % 2 === 0 ? said(text) : failed(text));
    trace.stderr(index * 100 + 50, text);
    trace.message('in', index * 100 + 60, { jsonrpc: '2.0', id: text, method: text, params: { name: text } });
  }
  return trace;
}

const failed = (message: string): unknown => ({ error: { code: -1, message } });

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the only ones that may be written.
const OURS = /\u001b\[[\d;]*[mHGJK]|\u001b\[\?\d+[hl]|[\r\n]/g;
const NEVER = new RegExp(
  `[\\p{Cc}\\p{Zl}\\p{Zp}\\u202e\\u2066]|x[${Object.values(UNSEEN).map(inPattern).join('')}]`,
  'u',
);

function inPattern(char: string): string {
  return `\\u{${char.codePointAt(0)?.toString(16)}}`;
}

/**
 * Expects that no part of a payload reached the terminal as a control sequence. Quits first, because a partial frame
 * may end inside a sequence.
 */
async function expectOnlyOurs(tui: TuiTerminal): Promise<void> {
  tui.press(KEYS.ctrlC);
  await tui.ended;
  expect(tui.raw.replaceAll(OURS, '')).not.toMatch(NEVER);
}

describe('hostile payloads', { timeout: 120_000 }, () => {
  it.each(SIZES)('hostile payloads leave a screen of %d×%d intact, in every panel', async (columns, rows) => {
    const place = new Place();
    const file = hostileSession().write(place);
    const tui = new TuiTerminal(`tui ${file}`, place, { columns, rows });
    const count = Object.keys(HOSTILE).length * 3;
    await tui.shows(new RegExp(`${count} (messages|msg)`));
    expect(tui.brokenRows()).toEqual([]);
    tui.press('g', ...(columns < 100 ? [] : [KEYS.tab]));
    for (let i = 0; i < Object.keys(HOSTILE).length; i++) {
      const number = String(i * 3).padStart(3, '0');
      if (columns < 100) tui.press(KEYS.enter);
      await tui.shows(new RegExp(`#${number} ▶`));
      tui.press('G');
      // Back in the list: the response, a line on stderr, a request without a response, and the next call.
      tui.press(KEYS.tab, 'j', 'j', 'j', 'j');
      if (columns >= 100) tui.press(KEYS.tab);
      expect(tui.brokenRows()).toEqual([]);
    }
    await expectOnlyOurs(tui);
  });

  it.each(SIZES)(
    'hostile payloads change nothing at %d×%d when held, edited, typed or used as names',
    async (columns, rows) => {
      const place = new Place();
      const all = Object.values(HOSTILE).join(' ');
      const call = JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: all, arguments: { all } },
      });
      for (const name of ['one', 'two']) {
        const flags = [
          '--label',
          `${name} ${HOSTILE['colours and cursor moves']}`,
          '--hold',
          'tool:*',
          '--hold-timeout',
          '60',
        ];
        place.start([...flags, '--', ...echoServer]).write(`${call}\n`);
      }
      await vi.waitFor(() => expect(place.traces()).toHaveLength(2));
      const tui = new TuiTerminal('tui', place, { columns, rows });
      await tui.shows(/┌ sessions ─[\s\S]*(one|two) \\u001b\[31m[\s\S]*(one|two) \\u001b\[31m/);
      tui.press(KEYS.enter);
      await tui.shows(/1 held/);
      expect(tui.brokenRows()).toEqual([]);
      tui.press('m');
      await tui.shows(/[┬┌] edit message ─/);
      for (let i = 0; i < 5; i++) tui.press(KEYS.down, KEYS.end, KEYS.left);
      tui.press('typed here');
      await tui.shows(/typed here/);
      expect(tui.brokenRows()).toEqual([]);
      tui.press(KEYS.escape);
      await tui.hides(/edit message/);
      tui.press('/', `\u001b[200~${HOSTILE['reading directions']}${HOSTILE['wide characters']}\u001b[201~`);
      await tui.shows(/├ \/\\u202egnp\.exe/);
      expect(tui.brokenRows()).toEqual([]);
      await expectOnlyOurs(tui);
    },
  );

  // One text after the other, which takes long.
  it.each(inLongRuns(SIZES, [[40, 10]] as const))(
    'hostile payloads do not break the last line at %d×%d',
    async (columns, rows) => {
      const place = new Place();
      const editor = `/no/${HOSTILE['colours and cursor moves']}/editor`;
      const tui = new TuiTerminal(`tui ${hostileSession().write(place)}`, place, {
        columns,
        rows,
        env: { EDITOR: `'${editor}'` },
      });
      await tui.shows(/42 (messages|msg)/);
      const bottom = new RegExp(`└─{${columns - 2}}┘$`);
      const paste = (text: string): string => `\u001b[200~${text}\u001b[201~`;
      for (const text of Object.values(HOSTILE)) {
        // First the filter's error message, then the search that finds nothing.
        tui.press('/', paste(`nosuch:${text}(`));
        await tui.shows(/nosuch/);
        tui.press(KEYS.escape);
        await tui.hides(/nosuch/);
        tui.press(KEYS.enter, '/', paste(`nowhere${text}`));
        await tui.shows(/Not found: nowhere/);
        await tui.shows(bottom);
        await tui.framed();
        tui.press(KEYS.escape);
        await tui.hides(/nowhere/);
        tui.press(KEYS.escape);
        await tui.shows(/┌ messages ─/);
      }
      tui.press('e');
      await tui.shows(/Cannot start/);
      await tui.framed();
      await expectOnlyOurs(tui);
    },
  );

  it('the terminal UI shows emoji and scripts that need joiners as they were sent', async () => {
    const place = new Place();
    const texts = Object.values(NEEDED);
    const trace = new SampleTrace();
    for (const [index, text] of texts.entries()) trace.call(index, index, text, {}, said('fine'));
    trace.call(texts.length, texts.length, 'all', { texts }, said('fine'));
    const tui = new TuiTerminal(`tui ${trace.write(place)}`, place, { columns: 200, rows: 100 });
    await tui.shows(new RegExp(`${2 * texts.length + 2} messages`));
    tui.press('k');
    await tui.shows(/"texts": \[/);
    // In the list and in the detail.
    expect(texts.filter((text) => tui.raw.split(text).length < 3)).toEqual([]);
    expect(tui.raw).not.toContain('\\u');
  });

  it('shows payloads that are longer and deeper than any screen', async () => {
    const place = new Place();
    const long = 'x'.repeat(5_000_000);
    const deep = `${'{"a":['.repeat(5000)}1${']}'.repeat(5000)}`;
    const file = new SampleTrace()
      .call(1, 1, 'long', { text: long }, said('日本'.repeat(500_000)))
      .text('in', 5, `{"jsonrpc":"2.0","method":"deep","params":${deep}}`)
      .message('in', 6, { jsonrpc: '2.0', method: 'nested', params: { text: JSON.stringify({ in: deep }) } })
      .write(place);
    const tui = new TuiTerminal(`tui ${file}`, place);
    await tui.shows(/4 messages/);
    await tui.shows(/json in a string/);
    tui.press('k');
    await tui.shows(/#002 ▶/);
    tui.press(KEYS.tab, 'G');
    await tui.shows(/│ {3}\} +│/);
    tui.press('g', KEYS.tab, 'g');
    await tui.shows(/#000 ▶/);
    await tui.shows(/5\.0 MB/);
    await tui.shows(/xxxxxxxxxx/);
    tui.press(KEYS.tab, KEYS.pageDown, KEYS.pageDown, 'G', '/', '"id": 1');
    await tui.shows(/"id": 1/);
    expect(tui.brokenRows()).toEqual([]);
  });

  it('hostile payloads stay in the frame while the window is resized repeatedly', async () => {
    const place = new Place();
    const tui = new TuiTerminal(`tui ${hostileSession().write(place)}`, place);
    await tui.shows(/messages/);
    for (let i = 0; i < 30; i++) {
      tui.resize(40 + ((i * 37) % 160), 10 + ((i * 13) % 50));
      tui.press(i % 2 === 0 ? 'k' : KEYS.tab);
    }
    for (const [columns, rows] of [
      [1, 1],
      [10, 4],
      [300, 3],
      [3, 90],
    ] as const) {
      tui.resize(columns, rows);
      tui.press('j', KEYS.enter, KEYS.escape);
    }
    tui.resize(100, 30);
    await tui.shows(/┌ messages ─+┬ .*┐\n/);
    await tui.shows(/└─{98}┘/);
    await tui.framed();
    tui.resize(40, 10);
    await tui.shows(/└─{38}┘/);
    await tui.framed();
  });

  it('hostile payloads stay in the frame while the window is resized during a session', async () => {
    const place = new Place();
    const session = place.start(['--', ...echoServer]);
    const call = (id: number): string => {
      const text = Object.values(HOSTILE)[id % Object.keys(HOSTILE).length];
      return `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: text } })}\n`;
    };
    session.write(call(0));
    const tui = new TuiTerminal('tui', place);
    await tui.shows(/2 messages/);
    for (let i = 1; i <= 60; i++) {
      session.write(call(i));
      tui.resize(40 + ((i * 37) % 160), 10 + ((i * 13) % 50));
    }
    tui.resize(120, 40);
    await tui.shows(/122 messages/);
    await tui.shows(/└─{118}┘/);
    await tui.framed();
    session.end();
    await tui.shows(/■ ended/);
  });

  it('uses only terminal colors that are legible on light and dark backgrounds', async () => {
    const place = new Place();
    const tui = new TuiTerminal(`tui ${hostileSession().write(place)}`, place);
    await tui.shows(/42 messages/);
    tui.press('g', 'j', KEYS.tab, '/', 'a', KEYS.escape, '?', KEYS.escape);
    await tui.shows(/#001 ◀/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: this is how colors are set.
    const codes = [...tui.raw.matchAll(/\u001b\[([\d;]*)m/g)].flatMap(([, code = '']) => code.split(';'));
    // Bold, dim, inverse; red, green, blue, magenta and cyan as text: no white or black, no yellow, no backgrounds.
    const legible = ['', '0', '1', '2', '7', '31', '32', '34', '35', '36'];
    expect([...new Set(codes)].filter((code) => !legible.includes(code))).toEqual([]);
    expect(codes).toContain('31');
  });

  it('shows hostile payloads as legibly without color', async () => {
    const place = new Place();
    const file = hostileSession().write(place);
    const plain = new TuiTerminal(`tui ${file}`, place, { env: { NO_COLOR: '1' } });
    await plain.shows(/messages/);
    expect(plain.hasColour()).toBe(false);
    await plain.shows(/✕ +#\d+ .*◀ \(response\) {2}-1/);
    const coloured = new TuiTerminal(`tui ${file}`, place);
    await coloured.shows(/✕ +#\d+ .*◀ \(response\) {2}-1/);
    expect(coloured.hasColour()).toBe(true);
  });
});
