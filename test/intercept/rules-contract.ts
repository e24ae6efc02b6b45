import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { expectUnheard, isAction, isMethod, type Steered, sentBy, steer } from './steered.ts';
import type { NotingServer, Wire } from './wire.ts';

const RULES = `rules:
  - name: hold it
    match: '"by hand" dir:>'
    hold: true
  - name: drop it
    match: kind:notification "unheard of"
    drop: true
  - name: delay it
    match: '"all in good time" dir:>'
    delay: 300ms
  - name: set it
    match: '"to be set" dir:>'
    set:
      $.params.arguments.text: set by a rule
  - name: replace it
    match: tool:echo dir:<
    replace:
      pattern: black
      with: white
  - name: answer it
    match: '"to be answered" dir:>'
    answer: { resultType: complete, content: [{ type: text, text: answered by a rule }] }
  - name: fail it
    match: '"to fail" dir:>'
    error: { code: -32042, message: Failed by a rule }
`;

/** Connects a client to the server of a wire through an mcpreel with rules of every kind. */
export function steerByRules(wire: Wire, server: NotingServer, flags: readonly string[] = []): Promise<Steered> {
  const rules = server.notes.path.replace('notes.sock', 'rules.yaml');
  writeFileSync(rules, RULES);
  return steer(wire, server, ['--rules', rules, ...flags]);
}

/** Tests what rules do to messages without a control client. */
export function rulesContract(wire: Wire, server: () => NotingServer): void {
  const ruled = (): Promise<Steered> => steerByRules(wire, server());

  it('applies a set rule to requests and a replace rule to responses', async () => {
    const { client, screen, notes } = await ruled();
    expect(sentBy(await client.call('echo', { text: 'to be set' }))).toBe('set by a rule');
    expect(sentBy(await client.call('echo', { text: 'black on black' }))).toBe('white on white');
    await notes.hears('black on black');
    expect(notes.order('to be set')).toEqual([]);
    const set = await screen.recorded(({ original }) => JSON.stringify(original ?? null).includes('to be set'));
    expect(set).toMatchObject({ modified: true, dir: 'in', raw: { params: { arguments: { text: 'set by a rule' } } } });
    const replaced = await screen.recorded(({ original }) => JSON.stringify(original ?? null).includes('black on'));
    expect(replaced).toMatchObject({ modified: true, dir: 'out' });
    for (const [{ id }, rule] of [
      [set, 'set it'],
      [replaced, 'replace it'],
    ] as const) {
      const { raw } = await screen.recorded((line) => isAction(line.raw, 'rule', String(id)));
      expect(raw).toMatchObject({ rules: [rule] });
    }
  });

  it('answers and fails requests by rule without forwarding them to the server', async () => {
    const steered = await ruled();
    const { client, screen } = steered;
    expect(sentBy(await client.call('echo', { text: 'to be answered' }))).toBe('answered by a rule');
    await expect(client.call('echo', { text: 'to fail' })).rejects.toMatchObject({
      code: -32042,
      message: expect.stringContaining('Failed by a rule') as string,
    });
    await expectUnheard(steered, 'to be answered');
    await expectUnheard(steered, 'to fail');
    const failed = await screen.recorded(({ raw }) => (raw as { error?: { code: number } }).error?.code === -32042);
    expect(failed).toMatchObject({ injected: true, corr: expect.any(String) as string });
    const requested = await screen.recorded(({ id }) => id === failed.corr);
    expect(requested).toMatchObject({ dropped: true });
  });

  it('drops messages that match a drop rule', async () => {
    const { client, screen } = await ruled();
    for (const text of ['unheard of', 'well known']) {
      expect(sentBy(await client.call('tell', { text }, { onprogress: () => undefined }))).toBe('told');
    }
    await client.noted.hears('notifications/progress');
    const received = client.noted.received.filter((message) => isMethod(message, 'notifications/progress'));
    expect(received).toMatchObject([{ params: { message: 'well known' } }]);
    expect(await screen.recorded(({ dropped }) => dropped === true)).toMatchObject({
      dir: 'out',
      raw: { params: { message: 'unheard of' } },
    });
  });

  it('delays messages that match a delay rule', async () => {
    const { client, screen } = await ruled();
    const startedAt = performance.now();
    expect(sentBy(await client.call('echo', { text: 'all in good time' }))).toBe('all in good time');
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(299);
    const { raw } = await screen.recorded((line) => isAction(line.raw, 'rule'));
    expect(raw).toMatchObject({ rules: ['delay it'], delayMs: 300 });
  });

  it('holds messages that match a hold rule in any mode', async () => {
    const { client, screen } = await ruled();
    await screen.live.takeCharge();
    const answer = client.call('echo', { text: 'by hand' });
    const held = await screen.nextHeld();
    expect(held).toMatchObject({ rule: 'hold it', text: expect.stringContaining('by hand') as string });
    expect(screen.live.state.mode).toBe('passthrough');
    await screen.live.decide(held.id, { action: 'edit', text: held.text.replace('by hand', 'by a hand') });
    expect(sentBy(await answer)).toBe('by a hand');
    const { raw } = await screen.recorded((line) => isAction(line.raw, 'hold', held.id));
    expect(raw).toMatchObject({ rule: 'hold it' });
  });
}
