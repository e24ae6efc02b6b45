import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sampleInterceptor } from '../../test/support/proxy/sample-interceptor.ts';
import type { Direction } from '../model/entry.ts';
import type { RuleOutcome } from '../model/rule-outcome.ts';
import type { Decision } from './held-message.ts';
import type { InterceptorOptions } from './interceptor.ts';
import type { ReleaseReport } from './session-control.ts';

const REQUEST = '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo"}}';
const RESPONSE = '{"jsonrpc":"2.0","id":7,"result":{}}';
const NOTIFICATION = '{"jsonrpc":"2.0","method":"notifications/initialized"}';

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

function openInterceptor(options: Partial<InterceptorOptions> = {}) {
  const releases: ReleaseReport[] = [];
  const modes: string[] = [];
  const ruled: string[] = [];
  const unread: string[] = [];
  const interceptor = sampleInterceptor({
    timeoutMs: 30_000,
    nowMs: Date.now,
    events: {
      onHeld: () => undefined,
      onReleased: ({ id, decision, by, heldMs }) => releases.push({ id, decision, by, heldMs }),
      onRuled: ({ id }) => ruled.push(id),
      onUnread: ({ of = '-', why }, isRefused) => unread.push(`${of} ${isRefused ? 'refused' : 'forwarded'}: ${why}`),
      onMode: (mode) => modes.push(mode),
    },
    ...options,
  });
  const settled: (Decision | undefined)[] = [];
  const admit = (text: string, direction: Direction = 'client_to_server'): void => {
    const index = settled.push(undefined) - 1;
    interceptor.ask([text], { direction, atMs: Date.now(), conversation: 0 }, ([settlement]) => {
      settled[index] = settlement?.decision;
    });
  };
  return { desk: interceptor, admit, settled, releases, modes, ruled, unread };
}

const outcome = (more: Partial<RuleOutcome>): RuleOutcome => ({
  rules: ['r'],
  text: REQUEST,
  delayMs: 0,
  holds: false,
  ...more,
});

describe('holding a message', () => {
  it('holds a message until the first decision and ignores later ones', () => {
    const { desk: interceptor, admit, settled, releases } = openInterceptor();
    admit(REQUEST);
    expect(settled).toEqual([undefined]);
    expect(interceptor.held).toMatchObject([{ id: 'm0', text: REQUEST, untilMs: 30_000 }]);
    vi.advanceTimersByTime(1200);
    expect(interceptor.decide('m0', { action: 'drop' })).toBe(true);
    expect(interceptor.decide('m0', { action: 'forward' })).toBe(false);
    expect(settled).toEqual([{ action: 'drop' }]);
    expect(releases).toEqual([{ id: 'm0', decision: { action: 'drop' }, by: 'screen', heldMs: 1200 }]);
    expect(interceptor.held).toEqual([]);
  });

  it('forwards a message immediately if the filter does not select it', () => {
    const { admit, settled } = openInterceptor({ wants: ({ text }) => text !== NOTIFICATION });
    admit(NOTIFICATION);
    expect(settled).toEqual([{ action: 'forward' }]);
  });

  it('forwards a held message when its timeout expires, counted from its arrival', () => {
    const { admit, settled, releases } = openInterceptor();
    admit(REQUEST);
    vi.advanceTimersByTime(29_999);
    expect(settled).toEqual([undefined]);
    vi.advanceTimersByTime(1);
    expect(settled).toEqual([{ action: 'forward' }]);
    expect(releases).toMatchObject([{ by: 'timeout', heldMs: 30_000 }]);
  });

  it.each([
    ['a request', REQUEST, 'answer'],
    ['a response', RESPONSE, 'edit'],
  ])('sends an error to the waiting side on timeout if failing closed: %s', (_, text, action) => {
    const { admit, settled } = openInterceptor({ failsClosed: true });
    admit(text);
    vi.advanceTimersByTime(30_000);
    expect(settled[0]?.action).toBe(action);
    expect(settled).toMatchObject([{ text: expect.stringMatching(/^\{"jsonrpc":"2\.0","id":7,"error":.*in time/) }]);
  });

  it('drops a held notification on timeout if failing closed', () => {
    const { admit, settled } = openInterceptor({ failsClosed: true });
    admit(NOTIFICATION);
    vi.advanceTimersByTime(30_000);
    expect(settled).toEqual([{ action: 'drop' }]);
  });

  it('withdraws a held message without affecting others', () => {
    const { desk: interceptor, admit, settled, releases } = openInterceptor();
    const received: Decision[] = [];
    admit(REQUEST);
    const from = { direction: 'client_to_server', atMs: 0, conversation: 0, inBatch: true } as const;
    const withdraw = interceptor.ask([REQUEST, NOTIFICATION], from, (both) =>
      received.push(...both.map(({ decision }) => decision)),
    );
    interceptor.decide('m1', { action: 'forward' });
    withdraw();
    expect([received, settled]).toEqual([[{ action: 'forward' }, { action: 'drop' }], [undefined]]);
    expect(releases).toMatchObject([{ id: 'm1' }, { id: 'm2', by: 'end' }]);
  });

  it('treats an edit that changes only whitespace as a forward', () => {
    const { desk: interceptor, admit, settled } = openInterceptor();
    admit(REQUEST);
    interceptor.decide('m0', { action: 'edit', text: JSON.stringify(JSON.parse(REQUEST), null, 2) });
    expect(settled).toEqual([{ action: 'forward' }]);
  });
});

describe('switching to passthrough', () => {
  it('forwards all held messages in the order in which they arrived', () => {
    const { desk: interceptor, admit, releases, modes } = openInterceptor();
    for (const text of [REQUEST, NOTIFICATION, RESPONSE]) admit(text);
    interceptor.setMode('passthrough');
    expect(releases.map(({ id, by, decision }) => [id, by, decision.action])).toEqual([
      ['m0', 'mode', 'forward'],
      ['m1', 'mode', 'forward'],
      ['m2', 'mode', 'forward'],
    ]);
    expect(modes).toEqual(['passthrough']);
    expect(interceptor.isWatching).toBe(false);
  });

  it('notifies the gates after the held messages were forwarded', () => {
    const { desk: interceptor, admit, settled } = openInterceptor();
    const seen: unknown[] = [];
    const remove = interceptor.addGate(() => seen.push([...settled]));
    admit(REQUEST);
    interceptor.setMode('passthrough');
    expect(seen).toEqual([[{ action: 'forward' }]]);
    remove();
    interceptor.setMode('intercept');
    interceptor.setMode('passthrough');
    expect(seen).toHaveLength(1);
  });
});

describe('when the last controlling client disconnects', () => {
  it('held messages are forwarded, and a session that started in passthrough returns to it', () => {
    const { desk: interceptor, admit, settled, releases } = openInterceptor({ mode: 'passthrough' });
    const [first, second] = [interceptor.takeCharge(), interceptor.takeCharge()];
    interceptor.setMode('intercept');
    admit(REQUEST);
    first();
    first();
    expect(settled).toEqual([undefined]);
    second();
    expect(settled).toEqual([{ action: 'forward' }]);
    expect(releases).toMatchObject([{ by: 'screen gone' }]);
    expect(interceptor.mode).toBe('passthrough');
  });

  it('a session that started in intercept mode stays in it', () => {
    const { desk: interceptor } = openInterceptor();
    interceptor.takeCharge()();
    expect(interceptor.mode).toBe('intercept');
  });
});

describe('rules', () => {
  it('changes a message by rule without holding it', () => {
    const changed = REQUEST.replace('echo', 'other');
    const { admit, settled, ruled } = openInterceptor({ mode: 'passthrough', rule: () => outcome({ text: changed }) });
    admit(REQUEST);
    expect(settled).toEqual([{ action: 'edit', text: changed }]);
    expect(ruled).toEqual(['m0']);
  });

  it('delays a message by rule, and does not wait for the delay when the session ends', () => {
    const {
      desk: interceptor,
      admit,
      settled,
    } = openInterceptor({ mode: 'passthrough', rule: () => outcome({ delayMs: 2000 }) });
    admit(REQUEST);
    vi.advanceTimersByTime(1999);
    expect(settled).toEqual([undefined]);
    vi.advanceTimersByTime(1);
    expect(settled).toEqual([{ action: 'forward' }]);
    admit(NOTIFICATION);
    interceptor.close();
    expect(settled[1]).toBeDefined();
  });

  it('drops a message by rule', () => {
    const { admit, settled } = openInterceptor({
      mode: 'passthrough',
      rule: () => outcome({ end: { action: 'drop' } }),
    });
    admit(REQUEST);
    expect(settled).toEqual([{ action: 'drop' }]);
  });

  it('holds a message that a rule changed, and forwards it with the change', () => {
    const changed = REQUEST.replace('echo', 'other');
    const {
      desk: interceptor,
      admit,
      settled,
    } = openInterceptor({
      mode: 'passthrough',
      rule: () => outcome({ text: changed, holds: true }),
    });
    admit(REQUEST);
    expect(interceptor.held).toMatchObject([{ rule: 'r', text: REQUEST, changedText: changed }]);
    vi.advanceTimersByTime(30_000);
    expect(settled).toEqual([{ action: 'edit', text: changed }]);
  });
});

describe('when the session ends', () => {
  it('forwards held and later messages at the end of a session if failing open', () => {
    const { desk: interceptor, admit, settled } = openInterceptor();
    admit(REQUEST);
    interceptor.close();
    admit(RESPONSE);
    expect(settled).toEqual([{ action: 'forward' }, { action: 'forward' }]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('forwards neither held nor later messages at the end of a session if failing closed', () => {
    const { desk: interceptor, admit, settled } = openInterceptor({ failsClosed: true });
    admit(REQUEST);
    interceptor.close();
    admit(REQUEST);
    expect(settled.map((decision) => decision?.action)).toEqual(['answer', 'answer']);
    expect(JSON.stringify(settled)).toContain('the session ended before it was released');
    expect({ timers: vi.getTimerCount(), isWatching: interceptor.isWatching }).toEqual({ timers: 0, isWatching: true });
  });
});

describe('at a signal that the server may survive', () => {
  it('forwards held messages at a signal and keeps holding if failing open', () => {
    const { desk: interceptor, admit, settled } = openInterceptor();
    admit(REQUEST);
    interceptor.signalled();
    admit(REQUEST);
    expect({ settled, held: interceptor.held.length }).toEqual({
      settled: [{ action: 'forward' }, undefined],
      held: 1,
    });
  });

  it('releases nothing at a signal if failing closed', () => {
    const { desk: interceptor, admit, settled } = openInterceptor({ failsClosed: true });
    admit(REQUEST);
    interceptor.signalled();
    expect({ settled, held: interceptor.held.length }).toEqual({ settled: [undefined], held: 1 });
  });
});

describe('a message that is refused because it cannot be checked', () => {
  const decisionOn = (text: string, direction?: Direction): Decision | undefined => {
    const { admit, settled } = openInterceptor({ failsClosed: true, mode: 'intercept', wants: () => false });
    admit(text, direction);
    return settled[0];
  };

  it.each(['null', '[1]', 'true', '{}'])('gets an error with the id null if it is a request with the id %s', (id) => {
    const decision = decisionOn(`{"jsonrpc":"2.0","id":${id},"method":"tools/call"}`);
    expect(decision).toMatchObject({ action: 'answer', text: expect.stringContaining('"id":null,"error"') });
  });

  it.each(['{"jsonrpc":"2.0","id":7,"Result":{}}', '{"jsonrpc":"2.0","id":7}'])(
    'becomes an error for the client if it is %s of the server',
    (text) => {
      const decision = decisionOn(text, 'server_to_client');
      expect(decision).toMatchObject({ action: 'edit', text: expect.stringContaining('"id":7,"error"') });
    },
  );

  it('is answered if it may be a request of the server', () => {
    const decision = decisionOn('{"jsonrpc":"2.0","id":7,"Method":"roots/list"}', 'server_to_client');
    expect(decision).toMatchObject({ action: 'answer', text: expect.stringContaining('"id":7,"error"') });
  });

  it('is dropped with the reason if no peer waits for it', () => {
    const decision = decisionOn('{"jsonrpc":"2.0"}', 'server_to_client');
    expect(decision).toEqual({ action: 'drop', why: 'it cannot be checked: it is not a JSON-RPC message' });
  });
});
