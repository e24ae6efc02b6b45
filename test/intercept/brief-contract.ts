import { expect, it } from 'vitest';
import { jsonLines } from '../support/recordings.ts';
import { failClosedContract } from './leaving-contract.ts';
import { steerByRules } from './rules-contract.ts';
import { Screen } from './screen.ts';
import { actionsOf, endedTrace, isMethod, saved, sentBy, steer } from './steered.ts';
import { keepsOrder, type NotingServer, type Wire } from './wire.ts';

/** The tests of a wire for normal runs, covering its own code paths; the whole contract runs in long runs. */
export function briefContract(wire: Wire, server: () => NotingServer): void {
  it('handles every kind of decision in one session', async () => {
    const steered = await steer(wire, server());
    const { client, screen, notes } = steered;

    await screen.hold('tool:echo dir:>');
    const edited = client.call('echo', { text: 'as it was' });
    const requested = await screen.nextHeld();
    const text = requested.text.replace('as it was', 'as it went');
    await screen.live.decide(requested.id, { action: 'edit', text });
    expect(sentBy(await edited)).toBe('as it went');
    expect((await notes.hears('as it went')).text).toBe(text);

    // A client may reject a response to a request it did not send.
    const renamed = client.call('echo', { text: 'another request' }).catch(() => undefined);
    const other = await screen.nextHeld();
    const { params, ...rest } = JSON.parse(other.text) as { params: { _meta?: unknown } };
    const listing = JSON.stringify({ ...rest, method: 'prompts/list', params: { _meta: params._meta } });
    await screen.live.decide(other.id, { action: 'edit', text: listing });
    await renamed;
    const { headers = {} } = await notes.hears('prompts/list');
    expect(headers).not.toHaveProperty('mcp-name');

    const answered = client.call('echo', { text: 'never asked' });
    const content = [{ type: 'text', text: 'from the screen' }];
    await screen.live.decide((await screen.nextHeld()).id, {
      action: 'answer',
      result: JSON.stringify({ content, resultType: 'complete' }),
    });
    expect(sentBy(await answered)).toBe('from the screen');

    const refused = expect(client.call('echo', { text: 'never failed' })).rejects.toThrow('Not today');
    const error = '{"code":-32001,"message":"Not today"}';
    await screen.live.decide((await screen.nextHeld()).id, { action: 'answer', error });
    await refused;

    await screen.hold('dir:< (tool:echo or kind:notification or method:roots/list)');
    const back = client.call('echo', { text: 'what the server says' });
    const answer = await screen.nextHeld();
    const received = answer.text.replace('what the server says', 'what the client hears');
    await screen.live.decide(answer.id, { action: 'edit', text: received });
    expect(sentBy(await back)).toBe('what the client hears');

    const reported = client.call('tell', { text: 'not for the client' }, { onprogress: () => undefined });
    const progress = await screen.nextHeld();
    await screen.live.decide(progress.id, { action: 'drop' });
    expect(sentBy(await reported)).toBe('told');
    expect(JSON.stringify(client.noted.received)).not.toContain('not for the client');

    if (!wire.isModern) {
      const questioned = client.call('ask', { text: '' });
      const result = '{"roots":[{"uri":"file:///by/hand","name":"by hand"}]}';
      await screen.live.decide((await screen.nextHeld()).id, { action: 'answer', result });
      expect(sentBy(await questioned)).toBe('by hand');
      expect(JSON.stringify(client.noted.received)).not.toContain('roots/list');
    }

    await screen.live.setMode('passthrough');
    const own = '{"jsonrpc":"2.0","method":"notifications/injected","params":{"to":"the server"}}';
    await screen.live.inject({ direction: 'client_to_server', text: own });
    expect((await notes.hears('notifications/injected')).text).toBe(own);
    const line = await screen.recorded(({ raw }) => isMethod(raw, 'notifications/injected'));
    expect(line).toMatchObject({ injected: true, dir: 'in' });
    expect(notes.order('never asked', 'never failed', 'another request')).toEqual([]);

    expect(await screen.recordedMessage(progress)).toMatchObject({ dropped: true, dir: 'out' });
    const { messages } = await saved(steered);
    const changed = messages.filter(({ modified }) => modified === true);
    expect(changed.map(({ proxy_id }) => proxy_id)).toEqual([requested.id, other.id, answer.id]);
    expect(changed[0]).toMatchObject({ original_payload: JSON.parse(requested.text) as unknown });
  });

  it('applies rules, and releases a held message at its timeout', async () => {
    const { client, screen, notes } = await steerByRules(wire, server(), ['--hold-timeout', '0.2']);
    expect(sentBy(await client.call('echo', { text: 'to be set' }))).toBe('set by a rule');
    expect(sentBy(await client.call('echo', { text: 'black on black' }))).toBe('white on white');
    expect(sentBy(await client.call('echo', { text: 'to be answered' }))).toBe('answered by a rule');
    await expect(client.call('echo', { text: 'to fail' })).rejects.toMatchObject({ code: -32042 });
    await client.call('tell', { text: 'unheard of' }, { onprogress: () => undefined });
    expect(JSON.stringify(client.noted.received)).not.toContain('unheard of');
    expect(notes.order('to be answered', 'to fail')).toEqual([]);
    await screen.live.takeCharge();
    const answer = client.call('echo', { text: 'by hand' });
    const held = await screen.nextHeld();
    expect(held).toMatchObject({ rule: 'hold it' });
    expect(sentBy(await answer)).toBe('by hand');
    expect(await screen.releaseOf(held)).toMatchObject({ by: 'timeout' });
  });

  it('releases held messages in order when the mode changes or the control client disconnects', async () => {
    const { place, client, screen, notes } = await steer(wire, server());
    await screen.hold('tool:echo dir:>');
    const first = client.call('echo', { text: 'goes first' });
    const held = await screen.nextHeld();
    const after = client.call('shout', { text: 'comes after' });
    if (!keepsOrder(wire)) await after;
    await screen.live.setMode('passthrough');
    await Promise.all([first, after]);
    expect(await screen.releaseOf(held)).toMatchObject({ by: 'mode' });
    await Promise.all(['goes first', 'comes after'].map((text) => notes.hears(text)));
    const order = ['goes first', 'comes after'];
    expect(notes.order(...order)).toEqual(keepsOrder(wire) ? order : order.toReversed());

    const leaving = await Screen.open(place);
    await leaving.hold('tool:echo dir:>');
    const answer = client.call('echo', { text: 'left alone' });
    await leaving.nextHeld();
    leaving.live.close();
    // The other control client has also taken control; it disconnects without a decision.
    screen.live.close();
    expect(sentBy(await answer)).toBe('left alone');
    await expect.poll(() => screen.trace()).toContain('"screen gone"');
    expect(sentBy(await client.call('echo', { text: 'as if nobody had been there' }))).toBe(
      'as if nobody had been there',
    );
  });

  it('releases held messages before SIGTERM ends a session, and writes its session file', async () => {
    const steered = await steer(wire, server(), ['--session-file', 'session.json']);
    const { client, place, screen, notes } = steered;
    await screen.hold('tool:echo dir:>');
    // A server that is still loading would be killed by the signal.
    await client.call('shout', { text: 'are you there?' });
    const answer = client.call('echo', { text: 'held until the end' }).catch(() => undefined);
    const held = await screen.nextHeld();
    process.kill(screen.live.facts.pid, 'SIGTERM');
    await notes.hears('held until the end');
    // A stdio server ends after its client has disconnected; otherwise the session ends at once.
    if (wire.listen === 'stdio' && wire.target === 'stdio') await answer;
    await client.leave().catch(() => undefined);
    const { events } = await endedTrace(steered);
    expect(await screen.live.over).toBe('ended');
    expect(actionsOf(events, 'release')).toMatchObject([{ of: held.id, as: 'forward', by: 'end' }]);
    await expect.poll(() => place.files()).toContain('session.json');
    expect(place.read('session.json')).toContain('held until the end');
  });

  failClosedContract(wire, server);

  it('held messages are on disk when the session is killed', async () => {
    const { client, place, screen, notes } = await steer(wire, server());
    await screen.hold('tool:echo dir:>');
    const given = client.call('echo', { text: 'never to arrive' }).catch(() => undefined);
    const held = await screen.nextHeld();
    process.kill(screen.live.facts.pid, 'SIGKILL');
    await screen.live.over;
    await place.run(['sessions', 'recover']);
    expect(notes.order('never to arrive')).toEqual([]);
    const events = jsonLines(screen.trace()).filter(({ type }) => type === 'event');
    expect(actionsOf(events, 'hold')).toMatchObject([{ of: held.id, text: JSON.parse(held.text) as unknown }]);
    await client.leave().catch(() => undefined);
    await given;
  });
}
