import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { isAction, type Steered, sentBy, steer } from '../intercept/steered.ts';
import { type NotingServer, startServer, type Wire } from '../intercept/wire.ts';
import { isLongRun } from '../support/long-run.ts';
import { KEYS, TuiTerminal } from './tui-terminal.ts';

export interface Shown extends Steered {
  readonly tui: TuiTerminal;
}

/** Opens the TUI on the only live session. */
export async function watch(steered: Steered): Promise<Shown> {
  const tui = new TuiTerminal('tui', steered.place);
  await tui.shows(/● rec/);
  return { ...steered, tui };
}

/** Moves the editor's cursor to the end of the line that contains this text. */
export async function goToLine(tui: TuiTerminal, text: RegExp): Promise<void> {
  await tui.shows(/┬ (edit message|write response) ─/);
  await tui.shows(text);
  const lines = tui.screen().split('\n');
  const first = lines.findIndex((line) => /│ \{ *│$/.test(line));
  const requested = lines.findIndex((line) => text.test(line));
  for (let i = first; i < requested; i++) tui.press(KEYS.down);
  tui.press(KEYS.end);
}

/**
 * Tests what a user at the TUI can do with a session on this wire. All tests run where `isWhole` is set and in long
 * runs; elsewhere one session covers the differences between wires.
 */
export function screenContract(wire: Wire, { isWhole = isLongRun }: { readonly isWhole?: boolean } = {}): void {
  if (isWhole) wholeContract(wire);
  else mainPath(wire);
}

function wholeContract(wire: Wire): void {
  describe(`a screen on ${wire.title}`, { timeout: 90_000 }, () => {
    let server: NotingServer;
    beforeEach(async () => {
      server = await startServer(wire.target);
    });
    afterEach(() => server.stop());

    it('shows messages from before and after it was opened', async () => {
      const steered = await steer(wire, server);
      await steered.client.call('echo', { text: 'said before' });
      const { tui, client } = await watch(steered);
      await tui.shows(/▶ echo {2}said before/);
      await client.call('shout', { text: 'said then' });
      await tui.shows(/▶ shout {2}said then/);
      await tui.shows(/PASSTHROUGH/);
    });

    it('holds with i, forwards with f and F5, and stops holding with i again', async () => {
      const { tui, client, notes } = await watch(
        await steer(wire, server, ['--hold', 'tool:* >', '--hold-timeout', '60']),
      );
      await tui.shows(/INTERCEPT/);
      for (const [key, text] of [
        ['f', 'one'],
        [KEYS.f5, 'two'],
      ] as const) {
        const answer = client.call('echo', { text });
        await tui.shows(new RegExp(`⏸ +#\\d+ .*▶ echo {2}${text} .*held \\d+ s`));
        await tui.shows(/⏸ held \d+ s of 60 s/);
        expect(notes.order(text)).toEqual([]);
        tui.press(key);
        expect(sentBy(await answer)).toBe(text);
        await tui.shows(/0 held/);
      }
      tui.press('i');
      await tui.shows(/PASSTHROUGH/);
      expect(sentBy(await client.call('echo', { text: 'three' }))).toBe('three');
      tui.press('i');
      await tui.shows(/INTERCEPT/);
    });

    it('edits with m, keeps the message held on Esc, and sends with Ctrl+S', async () => {
      const { tui, client, notes } = await watch(
        await steer(wire, server, ['--hold', 'tool:* >', '--hold-timeout', '60']),
      );
      const answer = client.call('echo', { text: 'as it was' });
      await tui.shows(/1 held/);
      tui.press('m');
      await tui.shows(/┬ edit message ─/);
      tui.press(KEYS.escape);
      await tui.hides(/edit message/);
      await tui.shows(/1 held/);
      expect(notes.order('as it was')).toEqual([]);
      tui.press(KEYS.f6);
      await goToLine(tui, /"text": "as it was"/);
      tui.press(KEYS.left, ' not');
      await tui.shows(/as it was not/);
      tui.press(KEYS.ctrlS);
      expect(sentBy(await answer)).toBe('as it was not');
      await notes.hears('as it was not');
      await tui.shows(/✎ +#\d+ .*▶ echo {2}as it was not/);
      tui.press('k', 'k', 'G', 'k');
      await tui.shows(/- .*"text": "as it was"/);
      await tui.shows(/\+ .*"text": "as it was not"/);
    });

    it('drops a held message with d and F8', async () => {
      const { tui, client, notes } = await watch(
        await steer(wire, server, ['--hold', 'tool:* >', '--hold-timeout', '60']),
      );
      for (const [key, text] of [
        ['d', 'first'],
        [KEYS.f8, 'second'],
      ] as const) {
        const gaveUp = new AbortController();
        const answer = client.call('echo', { text }, { signal: gaveUp.signal }).catch(() => undefined);
        await tui.shows(/1 held/);
        tui.press(key);
        await tui.shows(new RegExp(`✕ +#\\d+ .*▶ echo {2}${text}`));
        // The row may appear before the TUI knows that the message is no longer held.
        await tui.shows(/0 held/);
        gaveUp.abort();
        await answer;
      }
      expect(notes.order('first', 'second')).toEqual([]);
    });

    it('answers a held message with the a key', async () => {
      const { tui, client, notes } = await watch(
        await steer(wire, server, ['--hold', 'tool:* >', '--hold-timeout', '60']),
      );
      const answer = client.call('echo', { text: 'never asked' });
      await tui.shows(/1 held/);
      tui.press('a');
      await tui.shows(/┬ write response ─/);
      await goToLine(tui, /"text": ""/);
      tui.press(KEYS.left, 'by hand', KEYS.ctrlS);
      expect(sentBy(await answer)).toBe('by hand');
      await tui.shows(/✕ +#\d+ .*▶ echo {2}never asked/);
      await tui.shows(/\+ +#\d+ .*◀ \(response\)/);
      expect(notes.order('never asked')).toEqual([]);
    });

    it('moves from one held message to the next with n, and forwards all with F', async () => {
      const flags = ['--hold', 'tool:* >', '--hold-timeout', '60', '--hold-out-of-order'];
      const { tui, client } = await watch(await steer(wire, server, flags));
      const answers: Promise<unknown>[] = [];
      for (const text of ['first', 'second', 'third']) {
        answers.push(client.call('echo', { text }));
        await tui.shows(new RegExp(`⏸ +#\\d+ .*▶ echo {2}${text}`));
      }
      for (const next of ['second', 'third', 'first']) {
        tui.press('n');
        await tui.shows(new RegExp(`"text": "${next}"`));
      }
      tui.press('F');
      expect((await Promise.all(answers)).map(sentBy)).toEqual(['first', 'second', 'third']);
      await tui.shows(/0 held/);
    });

    it('filters, jumps from request to response, copies, saves, and quits with q', async () => {
      const { tui, client, place } = await watch(await steer(wire, server, ['--session-file', 'mine.json']));
      await client.call('shout', { text: 'loud' });
      await client.call('echo', { text: 'wanted' });
      await tui.shows(/▶ echo {2}wanted/);
      tui.press('/', 'tool:echo', KEYS.enter);
      await tui.shows(/2 of \d+ messages/);
      tui.press('g');
      await tui.shows(/#\d+ ▶ client → server/);
      tui.press('x');
      await tui.shows(/#\d+ ◀ server → client/);
      tui.press('y');
      await tui.shows(/Copied \d+ characters/);
      tui.press(KEYS.escape);
      await tui.shows(/▶ shout {2}loud/);
      tui.press('s');
      await tui.shows(/Saved to .*mine\.json/);
      expect(place.read('mine.json')).toContain('wanted');
      tui.press('q');
      expect(await tui.ended).toBe(0);
      expect(tui.isRestored()).toBe(true);
      expect(sentBy(await client.call('echo', { text: 'on we go' }))).toBe('on we go');
    });

    it('shares held messages with another screen, can be killed, and reports the session’s end', async () => {
      const steered = await steer(wire, server, ['--hold', 'tool:* >', '--hold-timeout', '60']);
      const { tui, client } = await watch(steered);
      const { tui: other } = await watch(steered);
      const answer = client.call('echo', { text: 'seen by both' });
      await Promise.all([tui.shows(/1 held/), other.shows(/1 held/)]);
      process.kill(tui.pidOf(/ tui/), 'SIGKILL');
      await tui.ended;
      other.press('f');
      expect(sentBy(await answer)).toBe('seen by both');
      await other.shows(/0 held/);
      // A stdio session ends when its client disconnects.
      await (wire.listen === 'stdio' ? client.leave() : steered.screen.live.requestEnd());
      await other.shows(/■ ended/);
      await other.shows(/▶ echo {2}seen by both/);
    });

    it('shows how long a message has been held', async () => {
      const { tui, client } = await watch(await steer(wire, server, ['--hold', 'tool:* >', '--hold-timeout', '60']));
      const answer = client.call('echo', { text: 'patience' });
      await tui.shows(/held [1-9]\d* s/);
      await tui.shows(/held [1-9]\d* s of 60 s/);
      tui.press('f');
      expect(sentBy(await answer)).toBe('patience');
    });

    it('shows that a held message was forwarded when its timeout expired', async () => {
      const { tui, client, screen } = await watch(
        await steer(wire, server, ['--hold', 'tool:* >', '--hold-timeout', '1']),
      );
      await tui.shows(/INTERCEPT/);
      const answer = client.call('echo', { text: 'patience' });
      expect(sentBy(await answer)).toBe('patience');
      const { raw } = await screen.recorded((line) => isAction(line.raw, 'release'));
      expect(raw).toMatchObject({ as: 'forward', by: 'timeout' });
      // The row of a held message ends with its countdown.
      await tui.shows(/▶ echo {2}patience .*\d m?s│/);
      await tui.shows(/0 held/);
    });
  });
}

/** A session that is watched from its middle to its end, with each kind of decision once. */
function mainPath(wire: Wire): void {
  it(`a screen on ${wire.title} shows, holds, forwards, edits, answers and drops messages`, async () => {
    const server = await startServer(wire.target);
    onTestFinished(() => server.stop());
    const steered = await steer(wire, server, ['--hold', 'tool:echo >', '--hold-timeout', '60']);
    await steered.client.call('shout', { text: 'said before' });
    const { tui, client, notes } = await watch(steered);
    await tui.shows(/▶ shout {2}said before/);
    await client.call('shout', { text: 'said then' });
    await tui.shows(/▶ shout {2}said then/);
    const hold = async (text: string, signal?: AbortSignal): Promise<{ readonly answer: Promise<unknown> }> => {
      const answer = client.call('echo', { text }, signal === undefined ? {} : { signal });
      answer.catch(() => undefined);
      await tui.shows(new RegExp(`⏸ +#\\d+ .*▶ echo {2}${text} .*held \\d+ s`));
      return { answer };
    };

    const forwarded = await hold('to forward');
    expect(notes.order('to forward')).toEqual([]);
    tui.press('f');
    expect(sentBy(await forwarded.answer)).toBe('to forward');
    await tui.shows(/0 held/);

    const edited = await hold('to edit');
    tui.press('m');
    await goToLine(tui, /"text": "to edit"/);
    tui.press(KEYS.left, 'ed', KEYS.ctrlS);
    expect(sentBy(await edited.answer)).toBe('to edited');
    await tui.shows(/✎ +#\d+ .*▶ echo {2}to edited/);

    const answered = await hold('to answer');
    tui.press('a');
    await goToLine(tui, /"text": ""/);
    tui.press(KEYS.left, 'by hand', KEYS.ctrlS);
    expect(sentBy(await answered.answer)).toBe('by hand');
    await tui.shows(/✕ +#\d+ .*▶ echo {2}to answer/);

    const gaveUp = new AbortController();
    const dropped = await hold('to drop', gaveUp.signal);
    tui.press('d');
    await tui.shows(/✕ +#\d+ .*▶ echo {2}to drop/);
    await tui.shows(/0 held/);
    gaveUp.abort();
    await dropped.answer.catch(() => undefined);
    expect(notes.order('to answer', 'to drop')).toEqual([]);

    // A stdio session ends when its client disconnects.
    await (wire.listen === 'stdio' ? client.leave() : steered.screen.live.requestEnd());
    await tui.shows(/■ ended/);
  }, 90_000);
}
