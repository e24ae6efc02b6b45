import { describe, expect, it } from 'vitest';
import { depsFor, REPLAY_OPTIONS, sessionOf } from '../../../test/support/replay/sample-talk.ts';
import type { RecordedSession } from '../../model/session.ts';
import type { ReplayOptions } from '../replay-options.ts';
import { replaySession } from '../replay-session.ts';

type Message = Readonly<Record<string, unknown>>;

function call(id: number, name: string): Message {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, _meta: { progressToken: `of ${name}` } } };
}

function answer(id: number, value: unknown = 'done'): Message {
  return { jsonrpc: '2.0', id, result: { value } };
}

function notice(kind: string, params: object = {}): Message {
  return { jsonrpc: '2.0', method: `notifications/${kind}`, params };
}

const progress = (name: string, done: number): Message =>
  notice('progress', { progressToken: `of ${name}`, progress: done });
const log = (data: unknown): Message => notice('message', { level: 'info', data });
const updated = (uri: string): Message => notice('resources/updated', { uri });

/** The differences reported for a server that sends these messages during a call, by tool. */
async function judged(
  session: RecordedSession,
  says: Readonly<Record<string, readonly (Message | 'answer')[]>>,
  options: Partial<ReplayOptions> = {},
): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const deps = depsFor((say) => (line) => {
    const { id, params } = JSON.parse(line) as { id: number; params: { name: string } };
    for (const message of says[params.name] ?? ['answer']) say(message === 'answer' ? answer(id) : message);
  });
  const quick = { ...REPLAY_OPTIONS, handshake: false, timeoutMs: 300, ...options };
  const results = await replaySession(session, quick, deps);
  const changed = results.filter(({ verdict }) => verdict !== 'match');
  return Object.fromEntries(
    changed.map(({ step, verdict, differences }) => [
      `${step.name} ${verdict}`,
      differences.map(({ path, recorded, replayed }) => [path, recorded, replayed]),
    ]),
  );
}

describe('notifications from the server during a replay', () => {
  const session = sessionOf([
    ...['>', call(1, 'a'), '<', progress('a', 1), log('begun'), progress('a', 2), answer(1)],
    ...['>', call(2, 'b'), '<', answer(2), notice('tools/list_changed'), updated('test://x')],
  ]);
  const same = {
    a: [progress('a', 1), log('begun'), progress('a', 2), 'answer'],
    b: ['answer', notice('tools/list_changed'), updated('test://x')],
  } as const;

  it('reports no difference if the notifications arrive again', async () => {
    expect(await judged(session, same)).toEqual({});
  });

  it('reports missing notifications of every kind', async () => {
    expect(await judged(session, { a: [progress('a', 1), 'answer'], b: ['answer'] })).toEqual({
      'a changed': [
        ['$.method', '"notifications/message"', undefined],
        ['$.method', '"notifications/progress"', undefined],
      ],
      'b changed': [
        ['$.method', '"notifications/tools/list_changed"', undefined],
        ['$.method', '"notifications/resources/updated"', undefined],
      ],
    });
  });

  it('reports a changed notification with path and both values', async () => {
    const a = [progress('a', 1), log('started'), progress('a', 3), 'answer'] as const;
    const b = ['answer', notice('tools/list_changed'), updated('test://y')] as const;
    expect(await judged(session, { a, b })).toEqual({
      'a changed': [
        ['$.params.data', '"begun"', '"started"'],
        ['$.params.progress', '2', '3'],
      ],
      'b changed': [['$.params.uri', '"test://x"', '"test://y"']],
    });
  });

  it('accepts notifications in another order and in greater number', async () => {
    const a = [log('begun'), log('more'), progress('a', 1), progress('a', 2), progress('a', 3), 'answer'] as const;
    const b = [updated('test://x'), notice('tools/list_changed'), notice('prompts/list_changed'), 'answer'] as const;
    expect(await judged(session, { a, b })).toEqual({});
  });

  it('assigns notifications to the call with their progress token, however calls are interleaved', async () => {
    const both = sessionOf([
      ...['>', call(1, 'a'), call(2, 'b'), '<', progress('a', 1), progress('b', 1), answer(1), answer(2)],
    ]);
    expect(await judged(both, { a: [progress('a', 1), 'answer'], b: [progress('b', 1), 'answer'] })).toEqual({});
    expect(await judged(both, { a: [progress('a', 1), progress('a', 1), 'answer'], b: ['answer'] })).toEqual({
      'b changed': [['$.method', '"notifications/progress"', undefined]],
    });
  });

  it('assigns notifications to their own call, even if the next call gets the same ones', async () => {
    const twice = sessionOf([
      ...['>', call(1, 'a'), '<', log('begun'), answer(1)],
      ...['>', call(2, 'b'), '<', log('begun'), answer(2)],
    ]);
    expect(await judged(twice, { a: ['answer'], b: [log('begun'), 'answer'] })).toEqual({
      'a changed': [['$.method', '"notifications/message"', undefined]],
    });
  });

  it('does not compare notifications at ignored paths', async () => {
    const says = { ...same, a: [progress('a', 1), log('started'), progress('a', 2), 'answer'], b: ['answer'] } as const;
    expect(await judged(session, says, { ignore: ['$.params.data', 'tool:b $.method'] })).toEqual({});
    const elsewhere = { ignore: ['$.params.data', 'tool:a $.method'] };
    expect(Object.keys(await judged(session, says, elsewhere))).toEqual(['b changed']);
  });

  it('does not report a missing notification that was unrelated to a call', async () => {
    const times = [0, 1, 2000, 2001, 2002];
    const late = sessionOf(
      ['>', call(1, 'a'), '<', answer(1), updated('test://x'), '>', call(2, 'b'), '<', answer(2)],
      (index) => times[index] ?? 0,
    );
    expect(await judged(late, {})).toEqual({});
  });

  it('shows notifications without secrets, and reports no change of a redacted value', async () => {
    const token = `ghp_${'0123456789abcdefghijABCDEFGHIJ012345'}`;
    const hidden = sessionOf(['>', call(1, 'a'), '<', log('[REDACTED:github-token:0a1b2c3d]'), answer(1)]);
    expect(await judged(hidden, { a: [log(token), 'answer'] })).toEqual({});
    const other = await judged(hidden, { a: [log(`not ${token}`), 'answer'] });
    expect(JSON.stringify(other)).toContain('not [REDACTED:github-token:');
    expect(JSON.stringify(other)).not.toContain(token);
  });
});
