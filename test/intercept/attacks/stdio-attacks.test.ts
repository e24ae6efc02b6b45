import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { inLongRuns } from '../../support/long-run.ts';
import { echoServer } from '../../support/servers.ts';
import { HIDDEN_CALLS, HIDDEN_LINES, type HiddenCall } from './hidden-calls.ts';
import { type Outcome, outcomeOf, type RecordedAction, watchedSession } from './watched-session.ts';

const LINES = [...HIDDEN_CALLS, ...HIDDEN_LINES];

interface SendingOptions {
  readonly failsClosed: boolean;
  readonly direction: '>' | '<';
}

/** Sends these pieces to a server that echoes every byte. Returns the lines that came back, and the recorded actions. */
async function exchanged(
  pieces: readonly Buffer[],
  { failsClosed, direction }: SendingOptions,
): Promise<{ readonly lines: readonly string[]; readonly actions: readonly RecordedAction[] }> {
  const forbidden = `tool:delete_all dir:${direction}`;
  const session = await watchedSession({ listen: 'stdio', command: echoServer }, { failsClosed, forbidden });
  const received: Buffer[] = [];
  session.stdout.on('data', (chunk: Buffer) => received.push(chunk));
  for (const piece of pieces) {
    session.stdin.write(piece);
    await nextTurn();
  }
  const actions = await session.stop();
  return { lines: Buffer.concat(received).toString('latin1').split('\n').filter(hasCall), actions };
}

/** Whether a text contains the forbidden name, in any encoding of these tests. */
function hasCall(latin1: string): boolean {
  return /delete(?:_|\\u005f)all/.test(latin1.replaceAll('\0', ''));
}

/** Sends one line in two pieces, because a reader must not depend on them. */
async function sent({ bytes }: HiddenCall, options: SendingOptions, lineEnd = '\n'): Promise<Outcome> {
  const line = Buffer.concat([bytes, Buffer.from(lineEnd)]);
  const { lines, actions } = await exchanged([line.subarray(0, 30), line.subarray(30)], options);
  return outcomeOf(actions, lines.length > 0);
}

const isRuled = ({ isRead, isDoubted }: HiddenCall, failsClosed: boolean): boolean =>
  isRead && !(failsClosed && isDoubted === true);

describe.each(['>', '<'] as const)('a line that hides a forbidden call, dir:%s', (direction) => {
  // In other runs, the next test sends all lines in one session.
  it.each(inLongRuns(LINES, []))('applies rules to the line, refuses it or marks it: $title', async (call) => {
    const closed = await sent(call, { failsClosed: true, direction });
    expect(closed).toBe(isRuled(call, true) ? 'ruled' : 'refused');
    const open = await sent(call, { failsClosed: false, direction });
    expect(open).toBe(isRuled(call, false) ? 'ruled' : 'forwarded and marked');
  });

  it.each([true, false])('applies rules to the line among others, with fail-closed %s', async (failsClosed) => {
    const pieces = LINES.map(({ bytes }) => Buffer.concat([bytes, Buffer.from('\n')]));
    const { lines, actions } = await exchanged(pieces, { failsClosed, direction });
    const ruled = LINES.filter((call) => isRuled(call, failsClosed));
    const as = failsClosed ? 'refuse' : 'forward';
    const unread = actions.filter((action) => action.action === 'unread' && action.as === as);
    // The server also echoes the answers of mcpreel, to which the rule applies if they arrive before the end.
    const applied = actions.filter(({ action }) => action === 'rule').length;
    expect(applied).toBeGreaterThanOrEqual(ruled.length);
    expect(applied).toBeLessThanOrEqual(direction === '<' ? 2 * ruled.length : ruled.length);
    expect(unread.length).toBeGreaterThanOrEqual(LINES.length - ruled.length);
    expect(lines).toHaveLength(failsClosed ? 0 : LINES.length - ruled.length);
  });
});

it.each([true, false])('applies rules to a last line without a line feed, with fail-closed %s', async (failsClosed) => {
  const [plain] = HIDDEN_CALLS;
  expect(await sent(plain as HiddenCall, { failsClosed, direction: '>' }, '')).toBe('ruled');
});
