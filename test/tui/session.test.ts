import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Steered, sentBy, steer } from '../intercept/steered.ts';
import { type NotingServer, startServer, type Wire } from '../intercept/wire.ts';
import { isLongRun } from '../support/long-run.ts';
import { Place } from '../support/place.ts';
import { goToLine, watch } from './screen-contract.ts';
import { KEYS, TuiTerminal } from './tui-terminal.ts';

const wire: Wire = { title: 'a program on stdio', listen: 'stdio', target: 'stdio', isModern: false };
const HOLDING = ['--hold', 'tool:* >', '--hold-timeout', '60'];

describe('a screen attached to a session', { timeout: 90_000 }, () => {
  let server: NotingServer;
  beforeEach(async () => {
    server = await startServer('stdio');
  });
  afterEach(() => server.stop());

  const held = async (...texts: readonly string[]): Promise<{ steered: Steered; answers: Promise<unknown>[] }> => {
    const steered = await steer(wire, server, [...HOLDING, '--hold-out-of-order']);
    const answers = texts.map((text) => steered.client.call('echo', { text }));
    // Requests that a test does not wait for fail when the client disconnects.
    for (const answer of answers) answer.catch(() => undefined);
    return { steered, answers };
  };

  it('shows how long a message is held in a small window, too', async () => {
    const { steered } = await held('in a small window');
    const tui = new TuiTerminal('tui', steered.place, { columns: 40, rows: 10 });
    await tui.shows(/⏸ +#\d+ .*▶ echo .*held \d+ s│/);
    tui.press(KEYS.enter);
    await tui.shows(/#\d{3} ▶ id \d+ {3}⏸ held \d+ s of 60 s/);
  });

  it('saves with s to the default path of the session, and shows the path', async () => {
    const { tui, place } = await watch(await steer(wire, server));
    tui.press('s');
    const [, path = ''] = await tui.shows(/Saved to .*\/(\S+\.json)/);
    expect(path).toMatch(/^noting-[0-9a-f]{8}\.json$/);
    expect(JSON.parse(place.read(path))).toMatchObject({ messages: expect.any(Array) as unknown[] });
  });

  it('saves with s to the given session file', async () => {
    const { tui, place, client } = await watch(await steer(wire, server, ['--session-file', 'mine.json']));
    await client.call('echo', { text: 'to be kept' });
    await tui.shows(/to be kept/);
    tui.press('s');
    await tui.shows(/Saved to .*\/mine\.json/);
    expect(place.read('mine.json')).toContain('to be kept');
  });

  it('opens a held message in $EDITOR, and sends the edited text', async () => {
    const { steered, answers } = await held('by hand');
    const script = steered.place.write('editor.sh', '#!/bin/sh\nsed -i "s/by hand/by editor/" "$1"\n');
    const tui = new TuiTerminal('tui', steered.place, { env: { EDITOR: `sh ${steered.place.path(script)}` } });
    await tui.shows(/1 held/);
    tui.press('e');
    await tui.shows(/┬ edit message ─/);
    await tui.shows(/"text": "by editor"/);
    tui.press(KEYS.ctrlS);
    expect(sentBy(await answers[0])).toBe('by editor');
  });

  it('reports that the editor cannot be started', async () => {
    const { steered } = await held('untouched');
    const tui = new TuiTerminal('tui', steered.place, { env: { EDITOR: './no-such-editor' } });
    await tui.shows(/1 held/);
    tui.press('e');
    await tui.shows(/Cannot start \.\/no-such-editor/);
    await tui.shows(/1 held/);
  });

  it('treats pasted input as text, not as commands', async () => {
    const { steered, answers } = await held('typed');
    const { tui } = await watch(steered);
    await tui.shows(/1 held/);
    tui.press('m');
    await goToLine(tui, /"text": "typed"/);
    tui.press(KEYS.left, '\u001b[200~ and pasted: q F d\u001b[201~');
    await tui.shows(/typed and pasted: q F d/);
    tui.press(KEYS.backspace, 'e', KEYS.ctrlS);
    expect(sentBy(await answers[0])).toBe('typed and pasted: q F e');
  });

  it('asks for confirmation before it sends invalid JSON', async () => {
    const { steered } = await held('almost JSON');
    const { tui, notes } = await watch(steered);
    await tui.shows(/1 held/);
    tui.press('m');
    await goToLine(tui, /"text": "almost JSON"/);
    tui.press(',,', KEYS.ctrlS);
    await tui.shows(/Not a JSON object/);
    expect(notes.order('almost JSON')).toEqual([]);
    tui.press(KEYS.ctrlS);
    await notes.hears('almost JSON');
    await tui.shows(/0 held/);
  });

  it('refuses to answer a notification', async () => {
    const { tui, client } = await watch(
      await steer(wire, server, ['--hold', 'kind:notification', '--hold-timeout', '60']),
    );
    // The client's first notification is held from the start.
    await tui.shows(/⏸ +#\d+ .*notifications\/initialized/);
    tui.press('a');
    await tui.shows(/Only requests can be answered/);
    tui.press('f');
    await tui.shows(/0 held/);
    await client.call('echo', { text: 'on we go' });
  });

  // screen-contract.ts covers this with messages that arrive while the TUI is open.
  if (isLongRun) {
    it('moves from one held message to the next with n, and forwards all with F', async () => {
      const { steered, answers } = await held('first', 'second', 'third');
      const { tui } = await watch(steered);
      await tui.shows(/3 held/);
      expect(tui.selected()).toContain('first');
      for (const next of ['second', 'third', 'first', 'second']) {
        tui.press('n');
        await tui.shows(new RegExp(`"text": "${next}"`));
      }
      tui.press('F');
      expect((await Promise.all(answers)).map(sentBy)).toEqual(['first', 'second', 'third']);
      await tui.shows(/0 held/);
    });
  }

  it('lets two screens decide: the first decision counts, and both show it', async () => {
    const { steered, answers } = await held('for both');
    const [{ tui: one }, { tui: other }] = await Promise.all([watch(steered), watch(steered)]);
    await Promise.all([one.shows(/1 held/), other.shows(/1 held/)]);
    one.press('i');
    await Promise.all([one.shows(/PASSTHROUGH/), other.shows(/PASSTHROUGH/)]);
    expect(sentBy(await answers[0])).toBe('for both');
    await Promise.all([one.shows(/0 held/), other.shows(/0 held/)]);
    one.press('q');
    expect(await one.ended).toBe(0);
    await steered.client.call('echo', { text: 'one is enough' });
    await other.shows(/one is enough/);
  });

  it('forwards held messages and continues the session when it detaches with q', async () => {
    const steered = await steer(wire, server);
    const { tui, client } = await watch(steered);
    tui.press('i');
    await tui.shows(/INTERCEPT/);
    const answer = client.call('echo', { text: 'left behind' });
    await tui.shows(/⏸ +#\d+ .*left behind/);
    tui.press('q');
    expect(await tui.ended).toBe(0);
    expect(tui.isRestored()).toBe(true);
    expect(sentBy(await answer)).toBe('left behind');
    expect(sentBy(await client.call('echo', { text: 'nobody holds it' }))).toBe('nobody holds it');
  });

  it('forwards held messages and continues the session when it is killed at any time', async () => {
    const steered = await steer(wire, server);
    const { tui, client } = await watch(steered);
    tui.press('i');
    await tui.shows(/INTERCEPT/);
    const answer = client.call('echo', { text: 'orphaned' });
    await tui.shows(/⏸ +#\d+ .*orphaned/);
    process.kill(tui.pidOf(/ tui/), 'SIGKILL');
    expect(sentBy(await answer)).toBe('orphaned');
    await tui.ended;
    const again = await watch(steered);
    await again.tui.shows(/▶ echo {2}orphaned/);
  });

  it('restores the terminal on SIGTERM', async () => {
    const { tui } = await watch(await steer(wire, server));
    process.kill(tui.pidOf(/ tui/), 'SIGTERM');
    expect(await tui.ended).toBe(143);
    expect(tui.isRestored()).toBe(true);
    expect(tui.raw).toMatch(/\[\?25h(?!.*\[\?25l)/s);
  });

  it('restores the terminal when it crashes, prints the error, and the session continues', async () => {
    const steered = await steer(wire, server);
    const breaking = "process.on('SIGUSR2', () => setImmediate(() => { throw new Error('broken on purpose'); }));\n";
    const script = steered.place.path(steered.place.write('break.cjs', breaking));
    const tui = new TuiTerminal('tui', steered.place, { env: { NODE_OPTIONS: `--require ${script}` } });
    await tui.shows(/● rec/);
    tui.press('i');
    await tui.shows(/INTERCEPT/);
    const answer = steered.client.call('echo', { text: 'all the same' });
    await tui.shows(/1 held/);
    process.kill(tui.pidOf(/ tui/), 'SIGUSR2');
    expect(await tui.ended).toBe(1);
    expect(tui.isRestored()).toBe(true);
    expect(tui.screen()).toContain('Error: broken on purpose');
    expect(sentBy(await answer)).toBe('all the same');
  });

  it('reports the end of the session, and still shows it', async () => {
    const { tui, client } = await watch(await steer(wire, server));
    await client.call('echo', { text: 'the last words' });
    await tui.shows(/the last words/);
    await client.leave();
    await tui.shows(/■ ended/);
    await tui.shows(/ENDED/);
    await tui.shows(/the last words/);
    tui.press('f');
    await tui.shows(/no message is held/);
    tui.press('q');
    expect(await tui.ended).toBe(0);
  });

  it('reports a session that was killed, and still shows it', async () => {
    const { tui, screen } = await watch(await steer(wire, server));
    await tui.shows(/▶ initialize/);
    process.kill(screen.live.facts.pid, 'SIGKILL');
    await tui.shows(/✕ lost/);
    await tui.shows(/LOST/);
    await tui.shows(/▶ initialize/);
  });

  it('shows messages that were held when the session was lost, then and later from its trace', async () => {
    const { steered, answers } = await held('never to arrive');
    const { tui, screen, place } = await watch(steered);
    await tui.shows(/1 held/);
    process.kill(screen.live.facts.pid, 'SIGKILL');
    await tui.shows(/✕ lost/);
    await tui.shows(/⏸ +#\d+ .*▶ echo {2}never to arr.*not sent/);
    await Promise.allSettled(answers);
    const later = new TuiTerminal(`tui ${place.traces()[0]}`, place);
    await later.shows(/⏸ +#\d+ .*▶ echo {2}never to arr.*not sent/);
  });

  it('waits for a session that has not started yet', async () => {
    const place = new Place();
    const tui = new TuiTerminal('tui', place);
    await tui.shows(/No session is running/);
    const session = place.start(['--label', 'late', '--', process.execPath, '-e', 'process.stdin.resume()']);
    session.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    await tui.shows(/late · stdio/);
    await tui.shows(/▶ ping/);
    session.end();
    await tui.shows(/■ ended/);
  });

  it('lets the user choose if several sessions run', async () => {
    const one = await steer(wire, server, ['--label', 'left']);
    const env = one.place.environment();
    const other = one.place.start(['--label', 'right', '--', process.execPath, '-e', 'process.stdin.resume()'], env);
    await vi.waitFor(() => expect(one.place.traces()).toHaveLength(2));
    const tui = new TuiTerminal('tui', one.place);
    await tui.shows(/┌ sessions ─/);
    await tui.shows(/left[\s\S]*right/);
    tui.press(KEYS.enter);
    await tui.shows(/left · stdio/);
    await tui.shows(/initialize/);
    tui.press(KEYS.tab, KEYS.tab, 'j', KEYS.enter);
    await tui.shows(/right · stdio/);
    other.end();
    await tui.shows(/■ ended/);
  });

  it('attaches to a session by a prefix of its id', async () => {
    const steered = await steer(wire, server);
    const tui = new TuiTerminal(`tui ${steered.screen.live.facts.id.slice(0, 8)}`, steered.place);
    await tui.shows(/● rec/);
    await tui.shows(/initialize/);
  });
});
