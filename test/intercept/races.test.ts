import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { inLongRuns } from '../support/long-run.ts';
import { jsonLines } from '../support/recordings.ts';
import { Screen } from './screen.ts';
import { actionsOf, sentBy, steer } from './steered.ts';
import { type NotingServer, startServer, type Wire } from './wire.ts';
import { ALL_WIRES } from './wires.ts';

async function serverOf({ target }: Wire): Promise<NotingServer> {
  const server = await startServer(target);
  onTestFinished(() => server.stop());
  return server;
}

/** A relay and a bridge; the others in long runs. */
const WIRES = inLongRuns(
  ALL_WIRES,
  ALL_WIRES.filter(({ title }) => title === 'stdio to stdio' || title === 'streamable-http to stdio'),
);

describe.each(WIRES)('$title', (wire) => {
  it('applies one of two decisions that arrive at once, and refuses the other', async () => {
    const { place, client, screen, notes } = await steer(wire, await serverOf(wire));
    const other = await Screen.open(place);
    await other.live.takeCharge();
    await screen.hold('tool:echo dir:>');
    for (let round = 0; round < 5; round++) {
      const answer = client.call('echo', { text: `nobody ${round}` });
      const held = await screen.nextHeld();
      const decide = ({ live }: Screen, by: string): Promise<string> =>
        live.decide(held.id, { action: 'edit', text: held.text.replace('nobody', by) }).then(
          () => `${by} ${round}`,
          () => 'refused',
        );
      const both = [decide(screen, 'first'), decide(other, 'second')];
      const outcomes = await Promise.all(round % 2 === 0 ? both : both.toReversed());
      const [won, ...others] = outcomes.filter((outcome) => outcome !== 'refused');
      expect(others).toEqual([]);
      expect(sentBy(await answer)).toBe(won);
      await notes.hears(won as string);
      expect(notes.order(`nobody ${round}`, `first ${round}`, `second ${round}`)).toEqual([won]);
      await screen.recordedMessage(held);
    }
    expect(screen.released).toHaveLength(5);
    const actions = actionsOf(eventsOf(screen), 'hold', 'release');
    expect(actions.map(({ action }) => action)).toEqual(Array(5).fill(['hold', 'release']).flat());
  });

  it.each([false, true])(
    'settles each message once if decisions arrive when the timeout passes, with fail-closed %s',
    async (failsClosed) => {
      const flags = ['--hold', 'tool:echo dir:>', '--hold-timeout', '0.3', ...(failsClosed ? ['--fail-closed'] : [])];
      const { client, screen, notes } = await steer(wire, await serverOf(wire), flags);
      await screen.live.takeCharge();
      const calls = Array.from({ length: 12 }, async (_, index) => {
        const outcome = client.call('echo', { text: `untouched ${index};` }).then(sentBy, () => 'an error');
        const held = await screen.nextHeld();
        const [text = ''] = /untouched \d+;/.exec(held.text) ?? [];
        // From 5 ms before the time is up to 6 ms after it.
        await delay(Math.max(0, held.untilMs - Date.now() + index - 5));
        const edited = held.text.replace('untouched', 'edited');
        const isDecided = await screen.live.decide(held.id, { action: 'edit', text: edited }).then(
          () => true,
          () => false,
        );
        const release = await screen.releaseOf(held);
        expect(release.by).toBe(isDecided ? 'screen' : 'timeout');
        return { outcome, text, isDecided };
      });
      for (const { outcome, text, isDecided } of await Promise.all(calls)) {
        const edited = text.replace('untouched', 'edited');
        const arrives = isDecided ? edited : failsClosed ? undefined : text;
        // The calls are held in order, but answered by any of these promises.
        await outcome;
        if (arrives !== undefined) await notes.hears(arrives);
        expect(notes.order(text, edited)).toEqual(arrives === undefined ? [] : [arrives]);
      }
      expect(screen.released.map(({ id }) => id)).toHaveLength(12);
      expect(new Set(screen.released.map(({ id }) => id)).size).toBe(12);
    },
  );

  it.each([false, true])('answers a held request whose server has gone, with fail-closed %s', async (failsClosed) => {
    const server = await startServer(wire.target);
    let isStopped = false;
    const stop = async (): Promise<void> => {
      if (!isStopped) await server.stop();
      isStopped = true;
    };
    onTestFinished(stop);
    const { client, screen, notes } = await steer(wire, server, failsClosed ? ['--fail-closed'] : []);
    await client.call('shout', { text: 'are you there?' });
    await screen.hold('tool:echo dir:>');
    const outcome = client.call('echo', { text: 'too late' }).catch((error: unknown) => error);
    const held = await screen.nextHeld();
    if (wire.target === 'stdio') for (const pid of childrenOf(screen.live.facts.pid)) process.kill(pid, 'SIGKILL');
    else await stop();
    // The server may be missed at once, or only when the request is forwarded.
    if (wire.target !== 'stdio' || (wire.isModern && wire.listen !== 'stdio')) {
      await expect.poll(() => (wire.target === 'stdio' ? childrenOf(screen.live.facts.pid) : [])).toEqual([]);
      await screen.live.decide(held.id, { action: 'forward' }).catch(() => undefined);
    }
    expect(await outcome).toBeInstanceOf(Error);
    expect(await screen.releaseOf(held)).toMatchObject({ id: held.id });
    expect(screen.released).toHaveLength(1);
    expect(notes.order('too late')).toEqual([]);
  });
});

function eventsOf(screen: Screen) {
  return jsonLines(screen.trace()).filter(({ type }) => type === 'event');
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}
