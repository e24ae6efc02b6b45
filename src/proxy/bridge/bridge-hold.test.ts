import { describe, expect, it } from 'vitest';
import { sampleBridge } from '../../../test/support/proxy/sample-bridge.ts';
import type { HeldMessage } from '../../intercept/held-message.ts';
import { ReelError } from '../../model/errors.ts';
import type { RuleOutcome } from '../../model/rule-outcome.ts';

const call = (id: number | string, tool = 'echo'): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${tool}"}}`;
const result = (id: number | string, more = ''): string => `{"jsonrpc":"2.0","id":${id},"result":{${more}}}`;
const says = (method: string): string => `{"jsonrpc":"2.0","method":"${method}"}`;

const holdsAll = { mode: 'intercept' } as const;
const outward = { ...holdsAll, wants: ({ direction }: HeldMessage) => direction === 'client_to_server' };
const inward = { ...holdsAll, wants: ({ direction }: HeldMessage) => direction === 'server_to_client' };
const calls = { ...holdsAll, wants: ({ text }: HeldMessage) => text.includes('tools/call') };

describe('client messages', () => {
  it('holds a message until it is released, and queues later messages behind it', () => {
    const { interceptor, noted, recorded, join } = sampleBridge({ interceptor: calls });
    const { say } = join();
    expect([say(call(1)), say(says('a')), say(call(2))]).toEqual([true, true, true]);
    expect(interceptor.held).toMatchObject([{ id: 'm0', conversation: 1 }, { id: 'm1' }]);
    expect([noted, recorded]).toEqual([[], []]);
    interceptor.decide('m0', { action: 'forward' });
    expect(noted).toEqual([`> ${call(1)}`, `> ${says('a')}`]);
    expect(recorded).toEqual([`> m0 forward ${call(1)}`, `> ${says('a')}`]);
    interceptor.setMode('passthrough');
    expect(noted.at(-1)).toBe(`> ${call(2)}`);
  });

  it('lets messages overtake a held one if order does not matter', () => {
    const { interceptor, noted, join } = sampleBridge({ interceptor: calls, outOfOrder: true });
    const { say } = join();
    for (const text of [call(1), says('a'), call(2)]) say(text);
    interceptor.decide('m1', { action: 'forward' });
    interceptor.decide('m0', { action: 'forward' });
    expect(noted).toEqual([`> ${says('a')}`, `> ${call(2)}`, `> ${call(1)}`]);
  });

  it('does not queue a message behind one held on another exchange', () => {
    const { interceptor, noted, join } = sampleBridge({ interceptor: calls });
    const { say } = join();
    say(call(1), 4);
    say(says('a'), 5);
    expect(interceptor.held).toMatchObject([{ exchange: 4 }]);
    expect(noted).toEqual([`> ${says('a')}`]);
  });

  it('does not queue a message behind one held for another client', () => {
    const { noted, join } = sampleBridge({ interceptor: calls });
    join({ conversation: 1 }).say(call(1));
    join({ conversation: 2 }).say(says('a'));
    expect(noted).toEqual([`> ${says('a')}`]);
  });

  it('does not forward a dropped request, and waits for no response to it', async () => {
    const { interceptor, noted, recorded, join } = sampleBridge({ interceptor: outward });
    const { client, target, say } = join();
    say(call(1));
    interceptor.decide('m0', { action: 'drop' });
    expect([noted, recorded]).toEqual([[], [`> m0 drop ${call(1)}`]]);
    await client.answered();
    target.onEnd('it broke');
    expect(noted.filter((what) => what.startsWith('<'))).toEqual([]);
  });

  it('answers in place of the target, after the request was recorded', async () => {
    const answer: RuleOutcome['end'] = { action: 'answer', text: result(1, '"mine":true') };
    const rule = ({ text }: HeldMessage): RuleOutcome => ({
      rules: ['r'],
      text,
      delayMs: 0,
      holds: false,
      end: answer,
    });
    const { noted, recorded, join } = sampleBridge({ interceptor: { rule } });
    const { client, say } = join();
    say(call(1));
    expect([noted, recorded]).toEqual([[], [`> m0 answer ${call(1)}`]]);
    await client.answered();
    await Promise.resolve();
    expect(noted).toEqual([`< own ${answer.text}`]);
  });

  it('forwards a batch with its edited messages and without its dropped ones', () => {
    const { interceptor, noted, recorded, join } = sampleBridge({ interceptor: outward });
    join().say(`[${call(1)}, ${says('a')}, ${call(2)}]`);
    interceptor.decide('m2', { action: 'forward' });
    interceptor.decide('m1', { action: 'drop' });
    expect(noted).toEqual([]);
    interceptor.decide('m0', { action: 'edit', text: call(1, 'other') });
    expect(noted).toEqual([`> [${call(1, 'other')},${call(2)}]`]);
    expect(recorded).toEqual([`> m0 edit ${call(1)}, m1 drop ${says('a')}, m2 forward ${call(2)}`]);
  });

  it('forwards the messages of a split batch once all of them are decided', () => {
    const { interceptor, noted, join } = sampleBridge({ interceptor: calls });
    join({ takesApart: true }).say(`[${says('a')},${call(1)}]`);
    expect(noted).toEqual([]);
    interceptor.decide('m0', { action: 'forward' });
    expect(noted).toEqual([`> ${says('a')}`, `> ${call(1)}`]);
  });

  it('forwards an edit that is not a valid message', () => {
    const { interceptor, noted, join } = sampleBridge({ interceptor: outward });
    join().say(call(1));
    interceptor.decide('m0', { action: 'edit', text: '{"id":' });
    expect(noted).toEqual(['> {"id":']);
  });
});

describe('a request whose id was edited', () => {
  it('accepts the response under the new id and attributes it to the original request', async () => {
    const { interceptor, noted, deliveries, join } = sampleBridge({ interceptor: outward });
    const { client, target, say } = join();
    say(call(1));
    interceptor.decide('m0', { action: 'edit', text: call('"x"') });
    target.onMessage(says('b'), { requestId: '"x"' });
    target.onMessage(result('"x"'), { requestId: '"x"' });
    expect(noted).toEqual([`> ${call('"x"')}`, `< ${says('b')}`, `< ${result('"x"')}`]);
    expect(deliveries).toEqual([
      { requestId: '1', answers: undefined },
      { requestId: '1', answers: '1' },
    ]);
    await client.answered();
  });

  it('abandons the request under its new id, and reports the error under the original one', () => {
    const { interceptor, noted, join } = sampleBridge({ interceptor: outward });
    const { client, target, say } = join();
    say(call(1));
    interceptor.decide('m0', { action: 'edit', text: call(7) });
    client.onAbandon('1');
    expect(noted.at(-1)).toBe('abandon 7');
    target.onEnd('it broke');
    expect(noted.filter((what) => what.startsWith('<'))).toEqual([
      '< own {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"mcpreel: it broke"}}',
    ]);
  });

  it('routes the response on a shared target', () => {
    const { interceptor, noted, deliveries, join } = sampleBridge({ interceptor: outward });
    const single = { conversation: 0, isSingle: true, takesApart: true };
    const [first, second] = [join(single), join(single)];
    first.say(call(1));
    second.say(call(7));
    interceptor.decide('m1', { action: 'forward' });
    interceptor.decide('m0', { action: 'edit', text: call(7) });
    expect(noted).toEqual([`> ${call(7)}`, `> ${call(1000000001)}`]);
    first.target.onMessage(result(1000000001), {});
    expect(noted.at(-1)).toBe(`< ${result(7)}`);
    expect(deliveries).toEqual([{ requestId: '1', isOwn: undefined, answers: '1' }]);
  });
});

describe('server messages', () => {
  it('holds a response until it is released, and counts the request as unanswered until then', async () => {
    const { interceptor, noted, deliveries, join } = sampleBridge({ interceptor: inward });
    const { client, target, say } = join();
    say(call(1));
    target.onMessage(result(1), {});
    target.onMessage(says('b'), {});
    let isAnswered = false;
    const answered = client.answered().then(() => (isAnswered = true));
    await Promise.resolve();
    expect([isAnswered, client.isHeld()]).toEqual([false, true]);
    interceptor.decide('m1', { action: 'forward' });
    interceptor.decide('m0', { action: 'edit', text: result(1, '"n":2') });
    await answered;
    await client.released();
    expect(noted.slice(1)).toEqual([`< ${result(1, '"n":2')}`, `< ${says('b')}`]);
    expect(deliveries[0]).toMatchObject({ answers: '1', past: [{ atMs: 0, id: 'm0', text: result(1) }] });
  });

  it('queues behind a held notification, but not behind a held response of another exchange', () => {
    const wants = ({ text }: HeldMessage): boolean => text.includes('"result":{}') || text.includes('"first"');
    const { interceptor, noted, join } = sampleBridge({ interceptor: { ...holdsAll, wants } });
    const { target } = join({ takesApart: true });
    target.onMessage(result(1), {});
    target.onMessage(result(2, '"n":2'), {});
    expect(noted).toEqual([`< ${result(2, '"n":2')}`]);
    target.onMessage(says('first'), {});
    target.onMessage(result(3, '"n":3'), {});
    interceptor.decide('m0', { action: 'forward' });
    interceptor.decide('m1', { action: 'forward' });
    expect(noted.slice(1)).toEqual([`< ${result(1)}`, `< ${says('first')}`, `< ${result(3, '"n":3')}`]);
  });

  it('records dropped messages of the server', async () => {
    const { interceptor, noted, recorded, join } = sampleBridge({ interceptor: inward });
    const { client, target, say } = join();
    say(call(1));
    target.onMessage(`[${result(1)},${says('b')}]`, {});
    interceptor.decide('m0', { action: 'drop' });
    interceptor.decide('m1', { action: 'drop' });
    await client.answered();
    expect(noted).toEqual([`> ${call(1)}`]);
    expect(recorded.at(-1)).toBe(`< m0 drop ${result(1)}, m1 drop ${says('b')}`);
  });

  it('answers a server request in place of the client', () => {
    const { interceptor, noted, recorded, join } = sampleBridge({ interceptor: inward });
    const requested = '{"jsonrpc":"2.0","id":5,"method":"roots/list"}';
    join().target.onMessage(requested, {});
    interceptor.decide('m0', { action: 'answer', text: result(5) });
    expect(noted).toEqual([`> ${result(5)}`]);
    expect(recorded).toEqual([`< m0 answer ${requested}`, `> own ${result(5)}`]);
  });

  it('does not hold an error that mcpreel sends, but keeps it in order', () => {
    const { interceptor, noted, join } = sampleBridge({ interceptor: inward });
    const { target } = join();
    target.onMessage(says('b'), {});
    target.onMessage(result(1), { isOwn: true });
    expect(interceptor.held).toHaveLength(1);
    expect(noted).toEqual([]);
    interceptor.decide('m0', { action: 'forward' });
    expect(noted).toEqual([`< ${says('b')}`, `< own ${result(1)}`]);
  });

  it('delivers a held message before it reports the end of the target', () => {
    const { interceptor, noted, join } = sampleBridge({ interceptor: inward });
    const { target } = join();
    target.onMessage(says('b'), {});
    target.onEnd('it broke');
    expect(noted).toEqual([]);
    interceptor.decide('m0', { action: 'forward' });
    expect(noted).toEqual([`< ${says('b')}`, 'end of 1: it broke', 'end', 'close']);
  });
});

describe('disconnecting while messages are held', () => {
  it('drops the held messages of a client that disconnects, in both directions', () => {
    const { interceptor, noted, recorded, join } = sampleBridge({ interceptor: holdsAll });
    const { client, target, say } = join();
    say(call(1));
    target.onMessage(says('b'), {});
    client.onEnd();
    expect(interceptor.held).toEqual([]);
    expect(recorded).toEqual([`> m0 drop ${call(1)}`, `< m1 drop ${says('b')}`]);
    expect(noted).toEqual(['close']);
  });

  it('drops the delayed messages of a client that disconnects', () => {
    const rule = ({ text }: HeldMessage): RuleOutcome => ({ rules: ['slow'], text, delayMs: 60_000, holds: false });
    const { interceptor, noted, recorded, join } = sampleBridge({ interceptor: { rule } });
    const { client, say } = join();
    say(call(1));
    client.onEnd();
    interceptor.close();
    expect(noted).toEqual(['close']);
    expect(recorded).toEqual([`> m0 drop ${call(1)}`]);
  });

  it('answers a held request with an error when its target ends', () => {
    const { interceptor, noted, recorded, join } = sampleBridge({ interceptor: outward });
    const { target, say } = join();
    say(call(1));
    target.onEnd('it broke');
    expect(interceptor.held).toEqual([]);
    expect(recorded).toEqual([`> m0 drop ${call(1)}`]);
    expect(noted).toContain('< own {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"mcpreel: it broke"}}');
  });

  it('answers a request with an error if its shared target ended while it was held', async () => {
    const { interceptor, noted, join } = sampleBridge({ interceptor: outward });
    const { say, target } = join({ conversation: 0, isSingle: true, takesApart: true });
    say(call(1));
    target.onEnd('it broke');
    interceptor.decide('m0', { action: 'forward' });
    await Promise.resolve();
    expect(noted.at(-1)).toContain('"message":"mcpreel: not sent: the target has ended"');
  });
});

describe('the queue behind a held message', () => {
  const big = says('x'.repeat(1 << 20));

  it('applies backpressure to a client, and finally rejects its messages', async () => {
    const { interceptor, noted, recorded, join } = sampleBridge({ interceptor: calls });
    const { say } = join();
    say(call(1));
    const taken = Array.from({ length: 64 }, () => say(big));
    expect(taken.indexOf(false)).toBe(15);
    expect(say(call(2))).toBe(false);
    await Promise.resolve();
    expect(noted).toHaveLength(1);
    expect(noted[0]).toContain('too many messages wait behind a held one');
    expect(recorded).toEqual([`> - drop ${call(2)}`]);
    interceptor.decide('m0', { action: 'forward' });
    expect(noted.slice(1).map((what) => what.slice(0, 20))).toEqual([
      `> ${call(1)}`.slice(0, 20),
      ...taken.map(() => `> ${big}`.slice(0, 20)),
      'resume client',
    ]);
  });

  it('pauses a target when the queue is full, and resumes it later', () => {
    const { interceptor, noted, join } = sampleBridge({ interceptor: calls });
    const { target } = join();
    target.onMessage(call(1), {});
    for (let n = 0; n < 15; n++) target.onMessage(big, {});
    expect(noted).toEqual([]);
    target.onMessage(big, {});
    expect(noted).toEqual(['pause']);
    interceptor.decide('m0', { action: 'forward' });
    expect(noted.at(-1)).toBe('resume');
  });

  it('disconnects one client of a shared target instead of pausing the target', () => {
    const { noted, join } = sampleBridge({
      interceptor: { ...inward, wants: ({ text }) => text.includes('held') },
    });
    const single = { conversation: 0, isSingle: true, takesApart: true };
    const { say, target } = join(single);
    say(call(1));
    target.onMessage(says('held'), { requestId: '1' });
    for (let n = 0; n < 65; n++) target.onMessage(big, { requestId: '1' });
    expect(noted).toContain('end');
    expect(noted).not.toContain('pause');
  });
});

describe('an injected message', () => {
  it('sends an injected message to the only client, or to the one that is named', () => {
    const { bridge, noted, join } = sampleBridge();
    join({ conversation: 1 });
    bridge.inject('server_to_client', says('a'), undefined);
    join({ conversation: 2, deliver: (text) => noted.push(`2 < ${text}`) > 0 });
    bridge.inject('server_to_client', says('b'), 2);
    expect(noted).toEqual([`< own ${says('a')}`, `2 < ${says('b')}`]);
  });

  it.each([
    ['there is nobody', 0, undefined],
    ['there are several', 2, undefined],
    ['nobody has that name', 2, 3],
  ])('rejects an injected message if %s', (_, count, conversation) => {
    const { bridge, noted, join } = sampleBridge();
    for (let n = 1; n <= count; n++) join({ conversation: n });
    expect(() => bridge.inject('client_to_server', call(1), conversation)).toThrow(ReelError);
    expect(noted).toEqual([]);
  });

  it('does not deliver the response to an injected request, unless the client uses the same id', () => {
    const { bridge, noted, recorded, join } = sampleBridge();
    const { say, target } = join();
    bridge.inject('client_to_server', call(8), undefined);
    target.onMessage(result(8), {});
    say(call(1));
    bridge.inject('client_to_server', call(1), 1);
    target.onMessage(result(1), {});
    expect(recorded).toEqual([`> own ${call(8)}`, `> ${call(1)}`, `> own ${call(1)}`]);
    expect(noted.filter((what) => !what.startsWith('>'))).toEqual([`lost ${result(8)}`, `< ${result(1)}`]);
  });

  it('sends an injected request to a shared server under an id of its own', () => {
    const { bridge, noted, recorded, join } = sampleBridge();
    const single = { conversation: 0, isSingle: true, takesApart: true };
    const { say, target } = join(single);
    join(single);
    say(call(1));
    bridge.inject('client_to_server', call(1), undefined);
    target.onMessage(result(1000000001), {});
    target.onMessage(result(1), {});
    expect(recorded.at(-1)).toBe(`> own ${call(1)}`);
    expect(noted).toEqual([`> ${call(1)}`, `> ${call(1000000001)}`, `lost ${result(1)}`, `< ${result(1)}`]);
  });
});
