import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sampleInterceptor } from '../../test/support/proxy/sample-interceptor.ts';
import type { Direction } from '../model/entry.ts';
import type { RuleOutcome } from '../model/rule-outcome.ts';
import type { Decision, ReleaseCause } from './held-message.ts';
import type { InterceptorOptions } from './interceptor.ts';

const REQUEST = '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo"}}';
const RESPONSE = '{"jsonrpc":"2.0","id":7,"result":{}}';
const NOTIFICATION = '{"jsonrpc":"2.0","method":"notifications/initialized"}';

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

function openInterceptor(options: Partial<InterceptorOptions> = {}) {
  const releases: ReleaseCause[] = [];
  const modes: string[] = [];
  const ruled: string[] = [];
  const interceptor = sampleInterceptor({
    timeoutMs: 30_000,
    nowMs: Date.now,
    events: {
      onHeld: () => undefined,
      onReleased: (release) => releases.push(release),
      onRuled: (_, id) => ruled.push(id),
      onMode: (mode) => modes.push(mode),
    },
    ...options,
  });
  const settled: (Decision | undefined)[] = [];
  const admit = (text: string, direction: Direction = 'client_to_server'): void => {
    const index = settled.push(undefined) - 1;
    interceptor.admit(
      { direction, text, atMs: Date.now(), conversation: 0 },
      ({ decision }) => (settled[index] = decision),
    );
  };
  return { desk: interceptor, admit, settled, releases, modes, ruled };
}

const outcome = (more: Partial<RuleOutcome>): RuleOutcome => ({
  rules: ['r'],
  text: REQUEST,
  delayMs: 0,
  holds: false,
  ...more,
});

describe('a message', () => {
  it('is held until somebody decides, once', () => {
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

  it('that nobody wants to see is forwarded before anybody could look away', () => {
    const { admit, settled } = openInterceptor({ wants: ({ text }) => text !== NOTIFICATION });
    admit(NOTIFICATION);
    expect(settled).toEqual([{ action: 'forward' }]);
  });

  it('is forwarded when its time is up, counted from its arrival', () => {
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
  ])('whose time is up is refused to whoever waits if that is wanted: %s', (_, text, action) => {
    const { admit, settled } = openInterceptor({ failsClosed: true });
    admit(text);
    vi.advanceTimersByTime(30_000);
    expect(settled[0]?.action).toBe(action);
    expect(settled).toMatchObject([{ text: expect.stringMatching(/^\{"jsonrpc":"2\.0","id":7,"error":.*in time/) }]);
  });

  it('that nobody waits for is dropped when its time is up if that is wanted', () => {
    const { admit, settled } = openInterceptor({ failsClosed: true });
    admit(NOTIFICATION);
    vi.advanceTimersByTime(30_000);
    expect(settled).toEqual([{ action: 'drop' }]);
  });

  it('that nobody waits for any more is withdrawn alone', () => {
    const { desk: interceptor, admit, settled, releases } = openInterceptor();
    const received: Decision[] = [];
    const settle = ({ decision }: { readonly decision: Decision }): void => void received.push(decision);
    admit(REQUEST);
    interceptor.admit({ direction: 'client_to_server', text: REQUEST, atMs: 0, conversation: 0 }, settle);
    interceptor.withdraw(settle);
    expect([received, settled]).toEqual([[{ action: 'drop' }], [undefined]]);
    expect(releases).toMatchObject([{ id: 'm1', by: 'end' }]);
  });

  it('with other white space is the same message', () => {
    const { desk: interceptor, admit, settled } = openInterceptor();
    admit(REQUEST);
    interceptor.decide('m0', { action: 'edit', text: JSON.stringify(JSON.parse(REQUEST), null, 2) });
    expect(settled).toEqual([{ action: 'forward' }]);
  });
});

describe('going back to passing everything on', () => {
  it('forwards all that are held in the order in which they came', () => {
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

  it('tells the gates after what was held has gone', () => {
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

describe('when the last one who could decide is gone', () => {
  it('what is held goes on, and nothing more is held that was not from the start', () => {
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

  it('a session that was to be held from the start goes on holding', () => {
    const { desk: interceptor } = openInterceptor();
    interceptor.takeCharge()();
    expect(interceptor.mode).toBe('intercept');
  });
});

describe('rules', () => {
  it('may change a message without anybody holding it', () => {
    const changed = REQUEST.replace('echo', 'other');
    const { admit, settled, ruled } = openInterceptor({ mode: 'passthrough', rule: () => outcome({ text: changed }) });
    admit(REQUEST);
    expect(settled).toEqual([{ action: 'edit', text: changed }]);
    expect(ruled).toEqual(['m0']);
  });

  it('may make it wait, and the end of the session does not wait for that', () => {
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

  it('may end its way', () => {
    const { admit, settled } = openInterceptor({
      mode: 'passthrough',
      rule: () => outcome({ end: { action: 'drop' } }),
    });
    admit(REQUEST);
    expect(settled).toEqual([{ action: 'drop' }]);
  });

  it('may hold what they have changed, which goes on changed if it is forwarded', () => {
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

it('forwards everything at the end, even where it would refuse what nobody decided on', () => {
  const { desk: interceptor, admit, settled } = openInterceptor({ failsClosed: true });
  admit(REQUEST);
  interceptor.close();
  admit(RESPONSE);
  expect(settled).toEqual([{ action: 'forward' }, { action: 'forward' }]);
  expect(vi.getTimerCount()).toBe(0);
});
