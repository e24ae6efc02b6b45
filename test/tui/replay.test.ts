import { describe, expect, it, vi } from 'vitest';
import { Place } from '../support/place.ts';
import { isRunning, recordAddress, recordProgram, started } from './changing-session.ts';
import { SampleTrace, said } from './sample-traces.ts';
import { KEYS, TuiTerminal } from './tui-terminal.ts';

const CALLS = [['same'], ['count']] as const;

/** Sets the clock of a process 10 s ahead on a signal, and fires the timers that wait that long. */
const TIME_IS_UP = `
const { setTimeout: start } = globalThis;
const { now } = Date;
const waiting = [];
let aheadMs = 0;
Date.now = () => now() + aheadMs;
globalThis.setTimeout = (run, ms, ...rest) => {
  if (ms === 10_000) waiting.push(run);
  return start(run, ms, ...rest);
};
process.on('SIGUSR2', () => {
  aheadMs = 10_000;
  for (const run of waiting) run();
});
`;

/** Resolves when a process has ended. */
async function ends(pid: number): Promise<void> {
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { interval: 20 });
}

describe.each([
  ['a program', recordProgram, /changing-server\.mjs3 +stdio/],
  ['an address', recordAddress, /http:\/\/127\.0\.0\.1:\d+\/mcp/],
])('the r key on a session of %s', { timeout: 90_000 }, (_, record, where) => {
  it('sends the request of a running session again, and shows how the response differs', async () => {
    const place = new Place();
    const { process } = await record(place, CALLS);
    const tui = new TuiTerminal('tui', place);
    await tui.shows(/▶ count/);
    await tui.shows(/● rec/);
    const before = place.trace();
    tui.press('G', 'r');
    await tui.shows(/┬ Replay #\d+ tools\/call "count" ─/);
    await tui.shows(/Press y to send it, Enter or Esc to cancel/);
    expect(tui.detail()).toMatch(where);
    expect(place.read('count.calls')).toBe('x');
    tui.press('y');
    await tui.shows(/! changed: 1 value after \d+ ms/);
    await tui.shows(/\$\.result\.content\[0\]\.text\.count/);
    await tui.shows(/- 1 +│/);
    await tui.shows(/\+ 2 +│/);
    expect(place.read('count.calls')).toBe('xx');
    tui.press(KEYS.escape);
    await tui.shows(/#\d+ ◀ server → client/);
    await tui.shows(/● rec/);
    // The replay did not write to the session.
    expect(place.trace()).toBe(before);
    expect(isRunning(process.pid)).toBe(true);
  });

  it('sends the request of a recorded session, and reports that the response matches', async () => {
    const place = new Place();
    const recorded = await record(place, CALLS);
    await recorded.end();
    const tui = new TuiTerminal(`tui ${place.traces()[0]}`, place);
    await tui.shows(/■ file/);
    tui.press('/', 'tool:same >', KEYS.enter);
    await tui.shows(/1 of \d+ messages/);
    tui.press(KEYS.f9);
    await tui.shows(/Press y to send it/);
    expect(tui.detail()).toMatch(where);
    tui.press('y');
    await tui.shows(/match: the response is unchanged after \d+ ms/);
    await tui.shows(/"text": "the same"/);
  });
});

describe('a replay on the screen', { timeout: 90_000 }, () => {
  it('starts nothing without confirmation', async () => {
    const place = new Place();
    await (await recordProgram(place, CALLS)).end();
    const tui = new TuiTerminal(`tui ${place.traces()[0]}`, place);
    await tui.shows(/■ file/);
    for (const no of [KEYS.escape, 'n', KEYS.enter]) {
      tui.press('r');
      await tui.shows(/Press y to send it/);
      tui.press('x', 'j', no);
      await tui.hides(/Replay #/);
    }
    expect(started(place)).toHaveLength(1);
  });

  it('reports why a message cannot be sent', async () => {
    const place = new Place();
    const asks = (id: number, params: unknown): unknown => ({ jsonrpc: '2.0', id, method: 'tools/call', params });
    const trace = new SampleTrace()
      .message('in', 1, { jsonrpc: '2.0', method: 'notifications/initialized' })
      .call(1, 2, 'login', { token: '[REDACTED:api-key:0123abcd]' }, said('in'))
      .message('in', 3, asks(2, { name: 'open' }))
      .message('in', 4, asks(3, { name: 'dropped' }), { dropped: true })
      .message('out', 5, { jsonrpc: '2.0', id: 9, method: 'roots/list' })
      .stderr(6, 'beside');
    const tui = new TuiTerminal(`tui ${trace.write(place)}`, place);
    await tui.shows(/6 messages/);
    for (const [key, which, why] of [
      ['g', /#000 ▶/, 'Notifications cannot be replayed: they have no response to compare'],
      ['j', /#001 ▶/, 'Not sent: it contains [REDACTED:api-key]'],
      ['j', /#002 ◀/, 'Not sent: it contains [REDACTED:api-key]'],
      ['j', /#003 ▶/, 'This request has no response to compare with'],
      ['j', /#004 ▶/, 'This request was dropped'],
      ['j', /#005 ◀/, 'Only requests of the client can be replayed'],
      ['j', /┬ stderr ─/, 'Only requests and their responses can be replayed'],
    ] as const) {
      tui.press(key);
      await tui.shows(which);
      tui.press('r');
      await tui.shows(new RegExp(why.replaceAll(/[[\]]/g, '\\$&')));
      expect(tui.screen()).not.toContain('Replay #');
    }
  });

  it('refuses a server whose command or environment variables are not fully known', async () => {
    const place = new Place();
    const call = (trace: SampleTrace): SampleTrace => trace.call(1, 2, 'read', {}, said('x'));
    const files = {
      "The server's command contains [REDACTED:api-key]": call(
        new SampleTrace({ command: ['serve', '--key', '[REDACTED:api-key:0123abcd]'] }),
      ),
      'The server needs SHOP_KEY, whose value was not recorded': call(new SampleTrace({ env: ['SHOP_KEY'] })),
      'The recording has no server command or URL': call(new SampleTrace({ command: [] })),
    };
    for (const [why, trace] of Object.entries(files)) {
      const tui = new TuiTerminal(`tui ${trace.write(place)}`, place);
      await tui.shows(/2 messages/);
      tui.press('r');
      await tui.shows(new RegExp(why.replaceAll(/[[\]]/g, '\\$&')));
      tui.press('q');
      await tui.ended;
    }
  });

  it('gives the server its environment variables, if the screen has them, and its folder', async () => {
    const place = new Place();
    place.write('shop/key', '');
    const flags = ['--env', 'SHOP_KEY=one', '--cwd', 'shop', '--redact', 'off'];
    await recordProgram(place, [['count']], { flags });
    const tui = new TuiTerminal('tui', place, { env: { SHOP_KEY: 'two' } });
    await tui.shows(/▶ count/);
    tui.press('r');
    await tui.shows(/Press y to send it/);
    expect(tui.detail()).toMatch(/in +\/\S+\/shop/);
    tui.press('y');
    await tui.shows(/changed: 2 values/);
    await tui.shows(/- "one"/);
    await tui.shows(/\+ "two"/);
  });

  it('shows in one line that the server could not be started, or died', async () => {
    const place = new Place();
    await (await recordProgram(place, [['last']])).end();
    const tui = new TuiTerminal(`tui ${place.traces()[0]}`, place);
    await tui.shows(/■ file/);
    tui.press('r');
    await tui.shows(/Press y to send it/);
    tui.press('y');
    await tui.shows(/✕ missing: No response: .*3/);
    await tui.shows(/The server printed: no more of this/);
    tui.press(KEYS.escape);
    await tui.hides(/Replay #/);
    const gone = new SampleTrace({ command: ['/no/such/server'] })
      .call(1, 2, 'read', {}, said('x'))
      .write(place, 'gone.jsonl');
    const other = new TuiTerminal(`tui ${gone}`, place);
    await other.shows(/2 messages/);
    other.press('r');
    await other.shows(/Somebody else may have made this recording/);
    other.press('/no/such/server', KEYS.enter);
    await other.shows(/Press y to send it/);
    other.press('y');
    await other.shows(/command not found/);
  });

  it('shows in one line that the server did not respond in time', async () => {
    const place = new Place();
    await (await recordProgram(place, [['once']])).end();
    const script = place.path(place.write('time-is-up.cjs', TIME_IS_UP));
    const env = { NODE_OPTIONS: `--require ${script}` };
    const tui = new TuiTerminal(`tui ${place.traces()[0]}`, place, { env });
    await tui.shows(/■ file/);
    tui.press('r');
    await tui.shows(/Press y to send it/);
    tui.press('y');
    await vi.waitFor(() => expect(place.read('once.calls')).toBe('xx'), { interval: 20 });
    process.kill(tui.pidOf(/ tui/), 'SIGUSR2');
    await tui.shows(/✕ timeout: no response after 10 s/);
  });

  it('cancels a replay on request, and repeats it', async () => {
    const place = new Place();
    await recordProgram(place, [['once'], ['count']], { words: ['EOF', 'SIGTERM'] });
    const tui = new TuiTerminal('tui', place);
    await tui.shows(/▶ once/);
    tui.press('g', 'j', 'j', 'j', 'r');
    await tui.shows(/Press y to send it/);
    tui.press('y');
    await tui.shows(/│ +… 1 s/);
    const [session = 0, replayed = 0] = started(place);
    tui.press(KEYS.escape);
    await tui.shows(/The replay was cancelled/);
    await ends(replayed);
    expect(isRunning(session)).toBe(true);
    tui.press('G', 'r');
    await tui.shows(/Press y to send it/);
    tui.press('y');
    await tui.shows(/\+ 2 /);
    tui.press('r');
    await tui.shows(/Press y to send it/);
    tui.press('y');
    await tui.shows(/\+ 3 /);
  });

  it.each([
    ['q', (tui: TuiTerminal) => tui.press('q')],
    ['a signal', (tui: TuiTerminal) => process.kill(tui.pidOf(/ tui/), 'SIGTERM')],
    ['kill -9', (tui: TuiTerminal) => process.kill(tui.pidOf(/ tui/), 'SIGKILL')],
  ])('leaves no server running after the screen is ended by %s', async (_, end) => {
    const place = new Place();
    await (await recordProgram(place, [['once']], { words: ['EOF', 'SIGTERM'] })).end();
    const tui = new TuiTerminal(`tui ${place.traces()[0]}`, place);
    await tui.shows(/■ file/);
    tui.press('r');
    await tui.shows(/Press y to send it/);
    tui.press('y');
    await tui.shows(/│ +… \d s/);
    await vi.waitFor(() => expect(started(place)).toHaveLength(2), { interval: 20 });
    const [, replayed = 0] = started(place);
    end(tui);
    await tui.ended;
    await ends(replayed);
  });

  it('fits in a small window with any payload', async () => {
    const place = new Place();
    const hostile = '\u001b[31mred\u001b[2J \u202egnp.exe 日本語のとても長い名前';
    await (await recordProgram(place, [['echo', { text: hostile }]])).end();
    const tui = new TuiTerminal(`tui ${place.traces()[0]}`, place, { columns: 40, rows: 10 });
    await tui.shows(/■ file/);
    tui.press('r');
    await tui.shows(/┌ Replay #\d+ tools\/call "echo" ─/);
    await tui.framed();
    const scrolled = (): string => {
      tui.press(KEYS.down);
      return tui.screen();
    };
    await expect.poll(scrolled).toMatch(/Press y to send it/);
    tui.press('y');
    await tui.shows(/! changed: 1 value/);
    expect(tui.brokenRows()).toEqual([]);
    tui.press(KEYS.pageDown, KEYS.pageDown);
    await tui.shows(/- "\\u001b\[31mred/);
    expect(tui.brokenRows()).toEqual([]);
    for (const [columns, rows] of [
      [200, 60],
      [80, 24],
      [120, 40],
      [40, 10],
    ] as const) {
      tui.resize(columns, rows);
      await tui.shows(new RegExp(`└─{${columns - 2}}┘`));
      await tui.framed();
    }
    tui.press('G', KEYS.escape);
    await tui.shows(/┌ messages ─/);
  });
});
