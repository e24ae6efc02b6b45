import { expect, it } from 'vitest';
import { runningSession } from '../intercept/screen.ts';
import { Place } from '../support/place.ts';
import { echoServer } from '../support/servers.ts';
import { SampleTrace, said } from './sample-traces.ts';
import { KEYS, TuiTerminal } from './tui-terminal.ts';

const MESSAGES = 100_000;
const PRESSES = 60;
/** The maximum median time at 120×40 from a key press to its effect on the screen, on an idle machine. */
const MAX_MS = 30;

it('moves and filters among 100,000 messages without a noticeable delay', { timeout: 180_000 }, async () => {
  const place = new Place();
  const trace = new SampleTrace();
  for (let i = 0; i < MESSAGES / 2; i++) {
    trace.call(i, i * 10, i % 3 === 0 ? 'search' : 'read_file', { path: `/notes/${i}` }, said(`{"found":${i}}`));
  }
  const tui = new TuiTerminal(`tui ${trace.write(place)}`, place);
  await tui.shows(/RECORDED {3}100000 messages/);
  const times: number[] = [];
  for (let i = 0; i < PRESSES; i++) {
    const before = performance.now();
    tui.press(i < PRESSES / 2 ? 'k' : KEYS.pageUp);
    const expected = i < PRESSES / 2 ? MESSAGES - 2 - i : MESSAGES - 1 - PRESSES / 2 - (i + 1 - PRESSES / 2) * 33;
    await tui.shows(new RegExp(`#0*${expected} `));
    times.push(performance.now() - before);
  }
  const [median = 0] = times.sort((a, b) => a - b).slice(times.length / 2);
  // The time depends on the machine, so it is checked only in benchmark runs.
  if (process.env.MCPREEL_BENCH) {
    process.stdout.write(`a key at 100,000 messages: p50 ${median.toFixed(1)} ms\n`);
    expect(median).toBeLessThan(MAX_MS);
  }

  tui.press('/', 'tool:search "notes/3"');
  await tui.shows(/\d+ of 100000 messages ·/);
  tui.press(KEYS.enter, 'g');
  await tui.shows(/"path": "\/notes\/3"/);
});

it.each([
  ['one file', []],
  ['many files', ['--max-bytes', '256k']],
])(
  'misses no message of a session that is faster than any screen, recorded to %s',
  { timeout: 180_000 },
  async (_, flags) => {
    const place = new Place();
    const session = place.start([...flags, '--', ...echoServer]);
    const line = (id: number): string =>
      `{"jsonrpc":"2.0","id":${id},"method":"fast","params":{"text":"${'x'.repeat(300)}"}}\n`;
    const lines = (from: number, to: number): string =>
      Array.from({ length: to - from }, (_unused, i) => line(from + i)).join('');
    session.write(lines(0, 1000));
    await runningSession(place);
    const tui = new TuiTerminal('tui', place);
    await tui.shows(/2000 messages/);
    // Far more than a session buffers for a slow control client.
    session.write(lines(1000, 20_000));
    // The screen process has the lowest priority, and catches up when processors are idle.
    await tui.shows(/40000 messages/, 120_000);
    await tui.shows(/#39999 ◀/);
    session.end();
    await tui.shows(/■ ended/);
  },
);
