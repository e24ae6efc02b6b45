import { chmodSync, chownSync, existsSync, mkdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { isLongRun } from '../support/long-run.ts';
import { NOBODY } from '../support/other-user.ts';
import { Place } from '../support/place.ts';
import { jsonLines } from '../support/recordings.ts';
import { scriptServer } from '../support/servers.ts';
import { notLinux, notRoot, unless } from '../support/unless.ts';
import { SampleTrace, said } from '../tui/sample-traces.ts';
import { KEYS, TuiTerminal } from '../tui/tui-terminal.ts';
import { ServedView } from '../view/served-view.ts';
import { BLANKS, hiding, OWN, writeRecording } from './hiding-commands.ts';

const MANY_WORDS = isLongRun ? 2000 : 300;

describe('a hidden command on the screen', { ...unless(notLinux), timeout: 60_000 }, () => {
  it.each(BLANKS)(
    'shows a command despite %s, names its shell, and does not run it on Enter',
    async (_, blanks, mark) => {
      const place = new Place();
      const tui = new TuiTerminal(`tui ${writeRecording(place, hiding(place, blanks), OWN)}`, place);
      await tui.shows(/2 messages/);
      tui.press('r');
      await tui.shows(/Replay #/);
      if (!blanks.startsWith('\t')) {
        await tui.shows(/sh -c runs word 3/);
        expect(tui.detail().replaceAll(' ', '')).toContain(';id>');
        expect(tui.detail()).toContain(mark);
      }
      tui.press(KEYS.enter);
      await tui.hides(/Replay #/);
      expect(existsSync(place.path('HIDDEN'))).toBe(false);
    },
  );

  it('sends a hidden command only after all of it was on the screen', async () => {
    const place = new Place();
    const long = Array.from({ length: 100 }, (_, line) => `# line ${line}`).join('\n');
    const tui = new TuiTerminal(`tui ${writeRecording(place, hiding(place, `\n${long}\n`), OWN)}`, place);
    await tui.shows(/2 messages/);
    tui.press('r');
    await tui.shows(/More below: scroll to the end/);
    tui.press('y');
    await tui.shows(/Scroll to the end of the command first/);
    // A jump to the end goes no further than the next screen.
    tui.press('G');
    await tui.shows(/# line 6\d/);
    expect(tui.screen()).not.toContain('# line 99');
    tui.press('y');
    await tui.shows(/Scroll to the end of the command first/);
    const scrolled = (): string => {
      tui.press(KEYS.end);
      return tui.screen();
    };
    await expect.poll(scrolled).toMatch(/Press y to send it/);
    expect(tui.screen()).toContain(';id >');
    expect(existsSync(place.path('HIDDEN'))).toBe(false);
  });

  it('marks the command of a foreign recording, which must be typed once', async () => {
    const place = new Place();
    const command = ['sh', '-c', `id > ${place.path('RAN')}; exec cat`];
    const tui = new TuiTerminal(`tui ${writeRecording(place, command, 'foreign.jsonl')}`, place);
    await tui.shows(/2 messages/);
    tui.press('r');
    await tui.shows(/Somebody else may have made this recording/);
    tui.press('y', KEYS.enter);
    await tui.shows(/That differs from the recorded one/);
    tui.press(KEYS.backspace);
    tui.press(`\u001b[200~sh\n-c\nid > ${place.path('RAN')}; exec cat\u001b[201~`, KEYS.enter);
    await tui.shows(/Press y to send it/);
    expect(existsSync(place.path('RAN'))).toBe(false);
    tui.press('y');
    await expect.poll(() => existsSync(place.path('RAN')), { timeout: 20_000 }).toBe(true);
  });
});

/** Presses keys that scroll until sending is possible; returns all that was on the screen by then. */
async function readOn(tui: TuiTerminal, keys: readonly string[]): Promise<string> {
  const shown = (): string => tui.detail().replaceAll(/↓ More below: scroll to the end\.|Press y to send it.*$/g, '');
  let seen = shown();
  for (let n = 0; !/Press y to send it/.test(tui.screen()); n++) {
    const before = tui.screen();
    tui.press(keys[n % keys.length] ?? '');
    await expect.poll(() => tui.screen()).not.toBe(before);
    seen += shown();
  }
  return seen.replaceAll(' ', '');
}

describe('a command on a small terminal', { ...unless(notLinux), timeout: 120_000 }, () => {
  it.each([
    ['of many words', ['node', 'server.js', ...Array.from({ length: MANY_WORDS }, (_, n) => `--word-${n}~`)]],
    ['with huge words', ['node', Array.from({ length: 300 }, (_, n) => `--word-${n}~`).join(''), 'end']],
  ])('sends a command %s only after all of it was on the screen', async (_, command) => {
    const place = new Place();
    const file = new SampleTrace({ command })
      .call(1, 2, `read ${'very '.repeat(100)}`, {}, said('x'))
      .write(place, OWN);
    const tui = new TuiTerminal(`tui ${file}`, place, { columns: 44, rows: 14 });
    await tui.shows(/RECORDED 2 msg/);
    tui.press('r');
    await tui.shows(/More below: scroll to the end/);
    tui.press('y');
    await tui.shows(/Scroll to the end/);
    const seen = await readOn(tui, [KEYS.pageDown, KEYS.end]);
    const missing = command
      .join('')
      .match(/--word-\d+~/g)
      ?.filter((word) => !seen.includes(word));
    expect(missing).toEqual([]);
  });
});

it('marks an imported recording as foreign, even in its own folder of recordings', async () => {
  const place = new Place();
  writeRecording(place, ['sh', '-c', 'id'], 'theirs.jsonl');
  const own = place.path(OWN);
  expect((await place.run(['import', 'theirs.jsonl', '--to', 'trace', '-o', 'plain.jsonl'])).code).toBe(0);
  place.write('home/sessions/.keep', '');
  expect((await place.run(['import', 'theirs.jsonl', '--to', 'trace', '-o', own])).code).toBe(0);
  expect(place.read('plain.jsonl')).not.toContain('imported');
  expect(place.read(OWN)).toContain('"imported":true');
  const view = await ServedView.start(place, [own]);
  const plan = await view.ask('/api/replay/plan', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ of: '0', message: 'm0' }),
  });
  expect(plan.text).toContain('Somebody else may have made this recording');
});

it.each([['export', '-f', 'trace'], ['redact']])(
  '%s brings no recording of unknown origin among those that were recorded here',
  async (...command) => {
    const place = new CommandPlace();
    writeRecording(place, ['sh', '-c', 'id'], 'theirs.jsonl');
    place.write('home/sessions/.keep', '');
    const [name = '', ...flags] = command;
    const { code, stderr } = await place.run([name, 'theirs.jsonl', ...flags, '-o', place.path(OWN)]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('mcpreel import --to trace')]);
    expect(place.files()).not.toContain(OWN);
    writeRecording(place, ['sh', '-c', 'id'], OWN);
    expect((await place.run([name, OWN, ...flags, '-o', place.path(OWN)])).code).toBe(0);
  },
);

it.each([
  ['must be typed if others can write to the folder of its trace', 0o777, true],
  ['need not be typed if nobody else can', 0o755, false],
])('the command of a running session %s', unless(notLinux), async (_, mode, isTyped) => {
  expect(await mustType(mode)).toBe(isTyped);
});

it(
  'the command of a running session must be typed if a group of others can write to the folder of its trace',
  unless(notRoot),
  async () => {
    expect(await mustType(0o775, NOBODY)).toBe(true);
  },
);

/** Whether the command of a session whose trace is in a folder with this mode and group has to be typed. */
async function mustType(mode: number, group = userInfo().gid): Promise<boolean> {
  const place = new Place();
  mkdirSync(place.path('shared'));
  chownSync(place.path('shared'), userInfo().uid, group);
  chmodSync(place.path('shared'), mode);
  const server = scriptServer(
    'process.stdin.on(\'data\', () => console.log(\'{"jsonrpc":"2.0","id":1,"result":{}}\'))',
  );
  const running = place.start(['--trace-file', 'shared/t.jsonl', '--', ...server]);
  running.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  await running.sent('result');
  const [meta, request] = jsonLines(place.read('shared/t.jsonl'));
  const view = await ServedView.start(place, ['--live']);
  const leaving = new AbortController();
  const open = { headers: { authorization: `Bearer ${view.token}` }, signal: leaving.signal };
  expect((await fetch(new URL('/api/live', view.url), open)).status).toBe(200);
  const body = JSON.stringify({ of: meta?.id, message: request?.id });
  const headers = { 'content-type': 'application/json' };
  const plan = async (): Promise<string> =>
    (await view.ask('/api/replay/plan', { method: 'POST', headers, body })).text;
  // The page server finds the session once a page is open.
  await expect.poll(plan).toContain('"nonce"');
  const isMarked = (await plan()).includes('Somebody else may have made this recording');
  leaving.abort();
  running.end();
  await running.ended;
  return isMarked;
}
