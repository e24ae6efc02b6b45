import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sampleDesk } from '../../test/support/proxy/sample-interceptor.ts';
import type { Direction } from '../model/entry.ts';
import type { RuleOutcome } from '../model/ruling.ts';
import type { Decision, ReleaseCause } from './held-message.ts';
import type { InterceptorOptions } from './interceptor.ts';

const REQUEST = '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo"}}';
const RESPONSE = '{"jsonrpc":"2.0","id":7,"result":{}}';
const NOTIFICATION = '{"jsonrpc":"2.0","method":"notifications/initialized"}';

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

function openDesk(options: Partial<InterceptorOptions> = {}) {
  const releases: ReleaseCause[] = [];
  const modes: string[] = [];
  const ruled: string[] = [];
  const desk = sampleDesk({
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
    desk.admit({ direction, text, atMs: Date.now(), conversation: 0 }, ({ decision }) => (settled[index] = decision));
  };
  return { desk, admit, settled, releases, modes, ruled };
}

const ruling = (more: Partial<RuleOutcome>): RuleOutcome => ({ rules: ['r'], text: REQUEST, delayMs: 0, holds: false, ...more });

describe('a message', () => {
  it('is held until somebody decides, once', () => {
    const { desk, admit, settled, releases } = openDesk();
    admit(REQUEST);
    expect(settled).toEqual([undefined]);
    expect(desk.held).toMatchObject([{ id: 'm0', text: REQUEST, untilMs: 30_000 }]);
    vi.advanceTimersByTime(1200);
    expect(desk.decide('m0', { action: 'drop' })).toBe(true);
    expect(desk.decide('m0', { action: 'forward' })).toBe(false);
    expect(settled).toEqual([{ action: 'drop' }]);
    expect(releases).toEqual([{ id: 'm0', decision: { action: 'drop' }, by: 'screen', heldMs: 1200 }]);
    expect(desk.held).toEqual([]);
  });

  it('that nobody wants to see is forwarded before anybody could look away', () => {
    const { admit, settled } = openDesk({ wants: ({ text }) => text !== NOTIFICATION });
    admit(NOTIFICATION);
    expect(settled).toEqual([{ action: 'forward' }]);
  });

  it('is forwarded when its time is up, counted from its arrival', () => {
    const { admit, settled, releases } = openDesk();
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
    const { admit, settled } = openDesk({ failsClosed: true });
    admit(text);
    vi.advanceTimersByTime(30_000);
    expect(settled[0]?.action).toBe(action);
    expect(settled).toMatchObject([{ text: expect.stringMatching(/^\{"jsonrpc":"2\.0","id":7,"error":.*in time/) }]);
  });

  it('that nobody waits for is dropped when its time is up if that is wanted', () => {
    const { admit, settled } = openDesk({ failsClosed: true });
    admit(NOTIFICATION);
    vi.advanceTimersByTime(30_000);
    expect(settled).toEqual([{ action: 'drop' }]);
  });

  it('that nobody waits for any more is withdrawn alone', () => {
    const { desk, admit, settled, releases } = openDesk();
    const heard: Decision[] = [];
    const settle = ({ decision }: { readonly decision: Decision }): void => void heard.push(decision);
    admit(REQUEST);
    desk.admit({ direction: 'client_to_server', text: REQUEST, atMs: 0, conversation: 0 }, settle);
    desk.withdraw(settle);
    expect([heard, settled]).toEqual([[{ action: 'drop' }], [undefined]]);
    expect(releases).toMatchObject([{ id: 'm1', by: 'end' }]);
  });

  it('with other white space is the same message', () => {
    const { desk, admit, settled } = openDesk();
    admit(REQUEST);
    desk.decide('m0', { action: 'edit', text: JSON.stringify(JSON.parse(REQUEST), null, 2) });
    expect(settled).toEqual([{ action: 'forward' }]);
  });
});

describe('going back to passing everything on', () => {
  it('forwards all that are held in the order in which they came', () => {
    const { desk, admit, releases, modes } = openDesk();
    for (const text of [REQUEST, NOTIFICATION, RESPONSE]) admit(text);
    desk.setMode('passthrough');
    expect(releases.map(({ id, by, decision }) => [id, by, decision.action])).toEqual([
      ['m0', 'mode', 'forward'],
      ['m1', 'mode', 'forward'],
      ['m2', 'mode', 'forward'],
    ]);
    expect(modes).toEqual(['passthrough']);
    expect(desk.isWatching).toBe(false);
  });

  it('tells the gates after what was held has gone', () => {
    const { desk, admit, settled } = openDesk();
    const seen: unknown[] = [];
    const remove = desk.addGate(() => seen.push([...settled]));
    admit(REQUEST);
    desk.setMode('passthrough');
    expect(seen).toEqual([[{ action: 'forward' }]]);
    remove();
    desk.setMode('intercept');
    desk.setMode('passthrough');
    expect(seen).toHaveLength(1);
  });
});

describe('when the last one who could decide is gone', () => {
  it('what is held goes on, and nothing more is held that was not from the start', () => {
    const { desk, admit, settled, releases } = openDesk({ mode: 'passthrough' });
    const [first, second] = [desk.takeCharge(), desk.takeCharge()];
    desk.setMode('intercept');
    admit(REQUEST);
    first();
    first();
    expect(settled).toEqual([undefined]);
    second();
    expect(settled).toEqual([{ action: 'forward' }]);
    expect(releases).toMatchObject([{ by: 'screen gone' }]);
    expect(desk.mode).toBe('passthrough');
  });

  it('a session that was to be held from the start goes on holding', () => {
    const { desk } = openDesk();
    desk.takeCharge()();
    expect(desk.mode).toBe('intercept');
  });
});

describe('rules', () => {
  it('may change a message without anybody holding it', () => {
    const changed = REQUEST.replace('echo', 'other');
    const { admit, settled, ruled } = openDesk({ mode: 'passthrough', rule: () => ruling({ text: changed }) });
    admit(REQUEST);
    expect(settled).toEqual([{ action: 'edit', text: changed }]);
    expect(ruled).toEqual(['m0']);
  });

  it('may make it wait, and the end of the session does not wait for that', () => {
    const { desk, admit, settled } = openDesk({ mode: 'passthrough', rule: () => ruling({ delayMs: 2000 }) });
    admit(REQUEST);
    vi.advanceTimersByTime(1999);
    expect(settled).toEqual([undefined]);
    vi.advanceTimersByTime(1);
    expect(settled).toEqual([{ action: 'forward' }]);
    admit(NOTIFICATION);
    desk.close();
    expect(settled[1]).toBeDefined();
  });

  it('may end its way', () => {
    const { admit, settled } = openDesk({ mode: 'passthrough', rule: () => ruling({ end: { action: 'drop' } }) });
    admit(REQUEST);
    expect(settled).toEqual([{ action: 'drop' }]);
  });

  it('may hold what they have changed, which goes on changed if it is forwarded', () => {
    const changed = REQUEST.replace('echo', 'other');
    const { desk, admit, settled } = openDesk({
      mode: 'passthrough',
      rule: () => ruling({ text: changed, holds: true }),
    });
    admit(REQUEST);
    expect(desk.held).toMatchObject([{ rule: 'r', text: REQUEST, changedText: changed }]);
    vi.advanceTimersByTime(30_000);
    expect(settled).toEqual([{ action: 'edit', text: changed }]);
  });
});

it('forwards everything at the end, even where it would refuse what nobody decided on', () => {
  const { desk, admit, settled } = openDesk({ failsClosed: true });
  admit(REQUEST);
  desk.close();
  admit(RESPONSE);
  expect(settled).toEqual([{ action: 'forward' }, { action: 'forward' }]);
  expect(vi.getTimerCount()).toBe(0);
});
