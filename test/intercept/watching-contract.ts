import { expect, it } from 'vitest';
import type { HeldMessage } from '../../src/intercept/held-message.ts';
import { Screen } from './screen.ts';
import { begin, isAction, saved, sentBy, steer } from './steered.ts';
import { keepsOrder, type NotingServer, type Wire } from './wire.ts';

/** Has the shape of a real token. */
const SECRET = `ghp_${'R4nd0m'.repeat(6)}`;

/** Tests which clients see held messages, which messages are held, and what each client may not see. */
export function watchingContract(wire: Wire, server: () => NotingServer): void {
  it('reports a decision to all screens, and refuses a second one', async () => {
    const { place, client, screen } = await steer(wire, server());
    const other = await Screen.open(place);
    await other.live.takeCharge();
    await screen.hold('tool:echo dir:>');
    const answer = client.call('echo', { text: 'seen by two' });
    const held = await screen.nextHeld();
    expect(await other.nextHeld()).toEqual(held);
    await screen.live.decide(held.id, { action: 'forward' });
    expect(await other.releaseOf(held)).toEqual(await screen.releaseOf(held));
    await expect(other.live.decide(held.id, { action: 'drop' })).rejects.toMatchObject({
      code: 'session-refused',
      message: `No held message has the id ${held.id}`,
    });
    expect(sentBy(await answer)).toBe('seen by two');
    expect(await screen.recordedMessage(held)).not.toHaveProperty('dropped');
  });

  it('keeps holding when one of two screens disconnects', async () => {
    const { place, client, screen } = await steer(wire, server());
    const other = await Screen.open(place);
    await other.live.takeCharge();
    await screen.hold('tool:echo dir:>');
    const answer = client.call('echo', { text: 'still held' });
    const held = await other.nextHeld();
    screen.live.close();
    await screen.live.over;
    expect(await other.live.held()).toEqual([held]);
    await other.live.decide(held.id, { action: 'forward' });
    expect(sentBy(await answer)).toBe('still held');
    expect(await other.releaseOf(held)).toMatchObject({ by: 'screen' });
  });

  it('holds only messages that match the filter', async () => {
    const { client, screen } = await steer(wire, server());
    await screen.hold('tool:echo dir:>');
    expect(sentBy(await client.call('shout', { text: 'not held' }))).toBe('NOT HELD');
    const answer = client.call('echo', { text: 'held alone' });
    const held = await screen.nextHeld();
    expect(held.text).toContain('held alone');
    expect(await screen.live.held()).toEqual([held]);
    await screen.live.decide(held.id, { action: 'forward' });
    expect(sentBy(await answer)).toBe('held alone');
  });

  it('holds all messages in both directions without a filter', async () => {
    const { client, screen } = await steer(wire, server());
    await screen.hold();
    const answer = client.call('echo', { text: 'there and back' });
    for (const direction of ['client_to_server', 'server_to_client']) {
      const held = await screen.nextHeld();
      expect(held).toMatchObject({ direction, text: expect.stringContaining('there and back') as string });
      await screen.live.decide(held.id, { action: 'forward' });
    }
    expect(sentBy(await answer)).toBe('there and back');
  });

  // The client starts a stdio server once to ask for its revisions; that process is not part of the test.
  const isProbed = wire.isModern && wire.listen === 'stdio';
  if (!isProbed) {
    it('holds the first message of a session with --intercept', async () => {
      const { place, connect } = await begin(wire, server(), ['--intercept']);
      const connecting = connect();
      const screen = await Screen.open(place);
      await screen.live.takeCharge();
      const held: HeldMessage[] = [];
      const forwardAll = async (): Promise<never> => {
        for (;;) {
          const next = await screen.nextHeld();
          held.push(next);
          await screen.live.decide(next.id, { action: 'forward' });
        }
      };
      const client = await Promise.race([connecting, forwardAll()]);
      expect(client.noted.sent).toContainEqual(JSON.parse(held[0]?.text ?? ''));
      expect(held.slice(0, 2).map(({ direction }) => direction)).toEqual(['client_to_server', 'server_to_client']);
      await screen.live.setMode('passthrough');
      expect(sentBy(await client.call('echo', { text: 'at last' }))).toBe('at last');
    });
  }

  // A bridge refuses messages that are too long, whether held or not.
  if (wire.listen === wire.target) {
    it('forwards a message that is too long to be held', async () => {
      const { client, screen } = await steer(wire, server(), ['--max-message', '2k']);
      await screen.hold('dir:> method:tools/call');
      const long = 'too long '.repeat(500);
      expect(sentBy(await client.call('echo', { text: long }))).toBe(long);
      const answer = client.call('echo', { text: 'short enough' });
      const held = await screen.nextHeld();
      expect(held.text).toContain('short enough');
      await screen.live.decide(held.id, { action: 'forward' });
      expect(sentBy(await answer)).toBe('short enough');
    });
  }

  if (!keepsOrder(wire)) {
    it('forwards other exchanges while a message is held', async () => {
      const { client, screen, notes } = await steer(wire, server());
      await screen.hold('tool:echo dir:>');
      const answer = client.call('echo', { text: 'waits alone' });
      const held = await screen.nextHeld();
      expect(sentBy(await client.call('shout', { text: 'need not wait' }))).toBe('NEED NOT WAIT');
      expect(await screen.live.held()).toEqual([held]);
      await screen.live.decide(held.id, { action: 'forward' });
      expect(sentBy(await answer)).toBe('waits alone');
      await notes.hears('waits alone');
      expect(notes.order('waits alone', 'need not wait')).toEqual(['need not wait', 'waits alone']);
    });
  }

  if (keepsOrder(wire)) {
    it('keeps the order of messages behind a held message', async () => {
      const { client, screen, notes } = await steer(wire, server());
      await screen.hold('tool:echo dir:>');
      const answers = [client.call('echo', { text: 'goes first' }), client.call('shout', { text: 'comes after' })];
      const held = await screen.nextHeld();
      await screen.live.decide(held.id, { action: 'forward' });
      await Promise.all(answers);
      await notes.hears('comes after');
      expect(notes.order('goes first', 'comes after')).toEqual(['goes first', 'comes after']);
    });
  }

  if (keepsOrder(wire)) {
    it('lets messages overtake a held one with --hold-out-of-order', async () => {
      const { client, screen, notes } = await steer(wire, server(), ['--hold-out-of-order']);
      await screen.hold('tool:echo dir:>');
      const answer = client.call('echo', { text: 'is overtaken' });
      const held = await screen.nextHeld();
      expect(sentBy(await client.call('shout', { text: 'overtakes' }))).toBe('OVERTAKES');
      await screen.live.decide(held.id, { action: 'forward' });
      expect(sentBy(await answer)).toBe('is overtaken');
      await notes.hears('is overtaken');
      expect(notes.order('is overtaken', 'overtakes')).toEqual(['overtakes', 'is overtaken']);
    });
  }

  it('shows secrets in held messages on the screen, and keeps them off the disk', async () => {
    const steered = await steer(wire, server());
    const { client, screen, notes } = steered;
    await screen.hold('tool:echo dir:>');
    const answer = client.call('echo', { text: `the token is ${SECRET}` });
    const held = await screen.nextHeld();
    expect(held.text).toContain(SECRET);
    const hold = await screen.recorded(({ raw }) => isAction(raw, 'hold', held.id));
    expect(JSON.stringify(hold)).toContain('the token is [REDACTED:');
    await screen.live.decide(held.id, { action: 'edit', text: held.text.replace('the token is', 'this is') });
    expect(sentBy(await answer)).toBe(`this is ${SECRET}`);
    expect((await notes.hears('this is')).text).toContain(SECRET);
    await screen.recorded(({ corr }) => corr === held.id);
    expect(await screen.recordedMessage(held)).toMatchObject({ modified: true });
    for (const text of [screen.trace(), (await saved(steered)).text]) {
      expect(text).toContain('this is [REDACTED:');
      expect(text).not.toContain(SECRET);
    }
  });

  it('restores the secret behind a placeholder that an edit keeps', async () => {
    const { client, screen, notes } = await steer(wire, server());
    await screen.hold('tool:echo dir:>');
    const answer = client.call('echo', { text: `keep ${SECRET} safe` });
    const held = await screen.nextHeld();
    const { raw } = await screen.recorded((line) => isAction(line.raw, 'hold', held.id));
    const [placeholder = ''] = /\[REDACTED:[^\]]+\]/.exec(JSON.stringify(raw)) ?? [];
    const edited = (with_: string): string => held.text.replace(`keep ${SECRET}`, `guard ${with_}`);
    const unknown = '[REDACTED:github-token:00000000]';
    await expect(screen.live.decide(held.id, { action: 'edit', text: edited(unknown) })).rejects.toThrow(unknown);
    await screen.live.decide(held.id, { action: 'edit', text: edited(placeholder) });
    expect(sentBy(await answer)).toBe(`guard ${SECRET} safe`);
    expect((await notes.hears('guard ')).text).toBe(edited(SECRET));
  });
}
