import { expect, it, vi } from 'vitest';
import type { HeldMessage } from '../../src/intercept/held-message.ts';
import { inLongRuns } from '../support/long-run.ts';
import { jsonLines } from '../support/recordings.ts';
import { runningSession, Screen } from './screen.ts';
import { actionsOf, endedTrace, expectUnheard, isAction, type Steered, sentBy, steer } from './steered.ts';
import { keepsOrder, type NotingServer, type Wire } from './wire.ts';

/** Tests held messages that are never decided on. */
export function leavingContract(wire: Wire, server: () => NotingServer): void {
  it('forwards a held message when its timeout expires', async () => {
    const { client, screen } = await steer(wire, server(), ['--hold', 'tool:echo dir:>', '--hold-timeout', '0.2']);
    await screen.live.takeCharge();
    const answer = client.call('echo', { text: 'in good time' });
    const held = await screen.nextHeld();
    expect(held.untilMs - held.atMs).toBe(200);
    expect(sentBy(await answer)).toBe('in good time');
    const { by, heldMs } = await screen.releaseOf(held);
    expect(by).toBe('timeout');
    expect(heldMs).toBeGreaterThanOrEqual(199);
    expect(await screen.recordedMessage(held)).not.toHaveProperty('modified');
  });

  it('forwards all held messages and stops holding when the controller is killed', async () => {
    const { place, client, screen } = await steer(wire, server());
    const { id } = await runningSession(place);
    const controller = place.start(['hold', id.slice(0, 8), '--filter', 'tool:echo dir:>']);
    await screen.stands(({ mode }) => mode === 'intercept');
    const answer = client.call('echo', { text: 'left alone' });
    await controller.sent('left alone');
    controller.signal('SIGKILL');
    expect(sentBy(await answer)).toBe('left alone');
    await screen.stands(({ mode, filter }) => mode === 'passthrough' && filter === undefined);
    const released = await screen.recorded(({ raw }) => isAction(raw, 'release'));
    expect(released.raw).toMatchObject({ as: 'forward', by: 'screen gone' });
    expect(sentBy(await client.call('echo', { text: 'as if nobody had been there' }))).toBe(
      'as if nobody had been there',
    );
  });

  failClosedContract(wire, server);

  it('forwards all held messages in order when holding is turned off', async () => {
    const { client, screen, notes } = await steer(wire, server());
    await screen.hold('tool:echo dir:>');
    const texts = ['the first of three', 'the second of three', 'the third of three'];
    const answers = texts.map((text) => client.call('echo', { text }));
    const held = [await screen.nextHeld(), await screen.nextHeld(), await screen.nextHeld()];
    expect(await screen.live.held()).toEqual(held);
    await screen.live.setMode('passthrough');
    expect((await Promise.all(answers)).map(sentBy)).toEqual(texts);
    await Promise.all(held.map((message) => screen.releaseOf(message)));
    expect(screen.released).toMatchObject(held.map(({ id }) => ({ id, by: 'mode', decision: { action: 'forward' } })));
    await Promise.all(texts.map((text) => notes.hears(text)));
    const order = notes.order(...texts);
    expect(keepsOrder(wire) ? order : order.toSorted()).toEqual(keepsOrder(wire) ? texts : texts.toSorted());
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('forwards held messages before a session ends with %s', async (signal) => {
    const steered = await steer(wire, server());
    const { client, screen, notes } = steered;
    await screen.hold('tool:echo dir:>');
    // A server that is still loading would be killed by the signal.
    await client.call('shout', { text: 'are you there?' });
    const answer = client.call('echo', { text: `held until ${signal}` }).catch(() => undefined);
    const held = await screen.nextHeld();
    process.kill(screen.live.facts.pid, signal);
    await notes.hears(`held until ${signal}`);
    // A stdio server ends after its client has disconnected; otherwise the session ends at once.
    if (wire.listen === 'stdio' && wire.target === 'stdio') expect(sentBy(await answer)).toBe(`held until ${signal}`);
    await client.leave().catch(() => undefined);
    const { events, messages } = await endedTrace(steered);
    expect(await screen.live.over).toBe('ended');
    const actions = actionsOf(events, 'hold', 'release');
    expect(actions).toMatchObject([{ of: held.id }, { of: held.id, as: 'forward', by: 'end' }]);
    expect(messages.filter(({ id }) => id === held.id)).toMatchObject([{ payload: JSON.parse(held.text) as unknown }]);
  });

  it('writes a session file with both versions of an edited message', async () => {
    const steered = await steer(wire, server(), ['--session-file', 'session.json']);
    const { client, place, screen } = steered;
    await screen.hold('tool:echo dir:>');
    const answer = client.call('echo', { text: 'as it was' });
    const held = await screen.nextHeld();
    const edited = held.text.replace('as it was', 'as it went');
    await screen.live.decide(held.id, { action: 'edit', text: edited });
    await answer;
    await screen.recorded(({ corr }) => corr === held.id);
    await client.leave();
    if (wire.listen !== 'stdio') process.kill(screen.live.facts.pid, 'SIGTERM');
    await endedTrace(steered);
    await vi.waitFor(() => expect(place.read('session.json')).toContain(`"original_payload": ${held.text}`));
    expect(place.read('session.json')).toContain(`"payload": ${edited}`);
  });

  it('loses no held message when mcpreel is killed', async () => {
    const steered = await steer(wire, server());
    const { client, place, screen, notes } = steered;
    await screen.hold('tool:echo dir:>');
    const texts = ['the first that is lost', 'the second that is lost'];
    const given = texts.map((text) => client.call('echo', { text }).catch(() => undefined));
    const held = [await screen.nextHeld(), await screen.nextHeld()];
    process.kill(screen.live.facts.pid, 'SIGKILL');
    await screen.live.over;
    await place.run(['sessions', 'recover']);
    expectKept(steered, held);
    expect(notes.order(...texts)).toEqual([]);
    await client.leave().catch(() => undefined);
    await Promise.all(given);

    const id = screen.live.facts.id.slice(0, 8);
    const inspected = await place.run(['inspect', id]);
    expect(inspected).toMatchObject({ code: 0, stderr: '' });
    expect(inspected.stdout).toContain(`Session: ${screen.live.facts.id}`);
    const recovered = await place.run(['sessions', 'recover', id]);
    expect(recovered).toMatchObject({ code: 0 });
    expectKept(steered, held);
  });
}

/** Tests `--fail-closed`, on every wire in every run: a held message must never be executed. */
export function failClosedContract(wire: Wire, server: () => NotingServer): void {
  it.each(inLongRuns<Leaving>(['SIGTERM', 'SIGINT', 'SIGHUP', 'client'], ['SIGTERM']))(
    'forwards no held message when the session ends by %s, with --fail-closed',
    async (ending) => {
      const steered = await steer(wire, server(), ['--fail-closed']);
      const { client, screen, notes } = steered;
      await screen.hold('tool:echo dir:>');
      await client.call('shout', { text: 'are you there?' });
      const outcome = client.call('echo', { text: 'never released' }).catch((error: unknown) => error);
      const held = await screen.nextHeld();
      if (ending !== 'client') process.kill(screen.live.facts.pid, ending);
      await client.leave().catch(() => undefined);
      if (wire.listen !== 'stdio' && ending === 'client') process.kill(screen.live.facts.pid, 'SIGTERM');
      expect(await outcome).toBeInstanceOf(Error);
      expect(await screen.live.over).toBeDefined();
      expect(notes.order('never released')).toEqual([]);
      const sent = jsonLines(screen.trace()).filter(({ id }) => id === held.id);
      expect(sent.filter(({ dropped }) => dropped !== true)).toEqual([]);
    },
  );

  it('answers a held request with an error when its controller disconnects, with --fail-closed', async () => {
    const steered = await steer(wire, server(), ['--fail-closed']);
    const { place, client, screen } = steered;
    const controller = await Screen.open(place);
    await controller.hold('tool:echo dir:>');
    const refused = expect(client.call('echo', { text: 'nobody saw it' })).rejects.toMatchObject({
      code: -32000,
      message: expect.stringContaining('no screen was left to release it') as string,
    });
    const held = await controller.nextHeld();
    controller.live.close();
    await refused;
    await expectUnheard(steered, 'nobody saw it');
    expect(await screen.recordedMessage(held)).toMatchObject({ dropped: true });
    expect(await screen.recorded(({ corr }) => corr === held.id)).toMatchObject({ injected: true });
  });

  it('replaces a response whose hold timeout expires with an error, with --fail-closed', async () => {
    const flags = ['--fail-closed', '--hold', 'tool:echo dir:<', '--hold-timeout', '0.2'];
    const { client, screen } = await steer(wire, server(), flags);
    await screen.live.takeCharge();
    await expect(client.call('echo', { text: 'kept back' })).rejects.toMatchObject({
      code: -32000,
      message: expect.stringContaining('not released in time') as string,
    });
    const held = await screen.nextHeld();
    expect(await screen.recordedMessage(held)).toMatchObject({
      modified: true,
      original: JSON.parse(held.text) as unknown,
      raw: { error: { code: -32000 } },
    });
  });
}

type Leaving = 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'client';

/** Expects the trace to hold the texts of messages that were never forwarded. */
function expectKept({ screen }: Steered, held: readonly HeldMessage[]): void {
  const events = jsonLines(screen.trace()).filter(({ type }) => type === 'event');
  expect(actionsOf(events, 'hold')).toMatchObject(
    held.map(({ id, text }) => ({ of: id, dir: 'in', text: JSON.parse(text) as unknown })),
  );
}
