import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { begin, sentBy } from '../intercept/steered.ts';
import { type NotingServer, startServer, type Wire } from '../intercept/wire.ts';
import { Place } from '../support/place.ts';
import { connectV1 } from '../support/sdk-clients.ts';
import { bothErasServer } from '../support/servers.ts';
import { KEYS, TuiTerminal } from './tui-terminal.ts';

const wire: Wire = {
  title: 'Streamable HTTP',
  listen: 'streamable-http',
  target: 'streamable-http',
  isModern: false,
};

/** Opens the session with this label in the sessions panel, whose first row is selected. */
async function open(tui: TuiTerminal, label: RegExp): Promise<void> {
  await tui.shows(label);
  const rows = tui.screen().split('\n');
  const first = rows.findIndex((row) => row.includes('┌ sessions ─')) + 1;
  const requested = rows.findIndex((row, y) => y >= first && label.test(row));
  for (let y = first; y < requested; y++) tui.press('j');
  tui.press(KEYS.enter);
}

describe('a screen on a run with --split', { timeout: 90_000 }, () => {
  let server: NotingServer;
  beforeEach(async () => {
    server = await startServer(wire.target);
  });
  afterEach(() => server.stop());

  it('follows the selected conversation, and leaves out the others', async () => {
    const { place, connect } = await begin(wire, server, ['--split', '--label', 'both']);
    const [one, two] = [await connect(), await connect()];
    await one.call('echo', { text: 'said before' });
    await two.call('echo', { text: 'elsewhere' });
    const tui = new TuiTerminal('tui', place);
    await tui.shows(/both-conv-2/);
    await open(tui, /both-conv-1/);
    await tui.shows(/both-conv-1 · /);
    await tui.shows(/▶ echo {2}said before/);
    await tui.shows(/● rec/);
    await one.call('shout', { text: 'said then' });
    await tui.shows(/▶ shout {2}said then/);
    expect(tui.screen()).not.toContain('elsewhere');
    tui.press('s');
    await tui.shows(/Cannot save a single conversation/);
    const [, id = ''] = /([0-9a-f]{8}) {2}both-conv-2/.exec(tui.screen()) ?? [];
    const other = new TuiTerminal(`tui ${id}`, place);
    await other.shows(/▶ echo {2}elsewhere/);
    await two.call('shout', { text: 'there' });
    await other.shows(/▶ shout {2}there/);
    tui.press('q');
    expect(await tui.ended).toBe(0);
    expect(sentBy(await one.call('echo', { text: 'on we go' }))).toBe('on we go');
  });

  it('holds the messages of its conversation, and passes decisions to the run', async () => {
    const { place, connect } = await begin(wire, server, ['--split', '--hold', 'tool:* >', '--hold-timeout', '60']);
    const [one, two] = [await connect(), await connect()];
    const tui = new TuiTerminal('tui', place);
    await tui.shows(/-conv-2/);
    await open(tui, /-conv-1/);
    await tui.shows(/INTERCEPT/);
    const other = two.call('echo', { text: 'of the other' });
    const answer = one.call('echo', { text: 'to be seen' });
    await tui.shows(/⏸ +#\d+ .*▶ echo {2}to be seen/);
    await tui.shows(/ 1 held/);
    tui.press('f');
    expect(sentBy(await answer)).toBe('to be seen');
    await tui.shows(/0 held/);
    await tui.shows(/▶ echo {2}to be seen .*ms│/);
    tui.press('i');
    expect(sentBy(await other)).toBe('of the other');
    await tui.shows(/PASSTHROUGH/);
  });
});

it('A run that is started on a terminal with --split shows its conversations there, and ends with q', async () => {
  const place = new Place();
  const command = bothErasServer.map((word) => `"${word}"`).join(' ');
  const tui = new TuiTerminal(`proxy start --split --listen-port 0 -- ${command}`, place);
  const [url] = await tui.shows(/http:\/\/127\.0\.0\.1:\d+\/\S*/);
  const client = await connectV1({ url, transport: 'streamable-http' });
  await client.call('echo', { text: 'on this terminal' });
  await tui.shows(/┌ sessions ─/);
  tui.press(KEYS.tab, KEYS.tab);
  await open(tui, /-conv-1/);
  await tui.shows(/▶ echo {2}on this terminal/);
  await client.leave();
  tui.press('q');
  expect(await tui.ended).toBe(0);
  expect(tui.isRestored()).toBe(true);
}, 60_000);
