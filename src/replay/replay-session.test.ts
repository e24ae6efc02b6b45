import { describe, expect, it } from 'vitest';
import {
  call,
  HANDSHAKE,
  HELLO,
  type Requested,
  replayed,
  server,
  text,
} from '../../test/support/replay/in-process-replay.ts';
import { type InProcess, REPLAY_OPTIONS, sessionOf } from '../../test/support/replay/sample-talk.ts';
import { plannedSteps } from './planned-steps.ts';

describe('the verdict on a replayed response', () => {
  const session = sessionOf([...HANDSHAKE, call(1, 'a'), '<', text(1, '{"count":3,"at":"2026-01-01T00:00:00Z"}')]);

  it('reports a match if only volatile values differ', async () => {
    const serve = server(({ id = 0 }, say) => say(text(id, '{"at":"2027-02-02T00:00:00Z","count":3}')));
    expect((await replayed(session, serve)).verdicts).toEqual(['match', 'sent', 'match']);
  });

  it('reports a change with its path and both values', async () => {
    const serve = server(({ id = 0 }, say) => say(text(id, '{"at":"2027-02-02T00:00:00Z","count":4}')));
    const { results } = await replayed(session, serve);
    expect(results[2]).toMatchObject({
      verdict: 'changed',
      differences: [{ path: '$.result.content[0].text.count', recorded: '3', replayed: '4' }],
    });
  });

  it('skips ignored paths, and compares only types in shape mode', async () => {
    const serve = server(({ id = 0 }, say) => say(text(id, '{"at":"2027-02-02T00:00:00Z","count":4}')));
    const ignore = ['tool:a $.result.content[0].text.count'];
    expect((await replayed(session, serve, { ignore })).verdicts).toEqual(['match', 'sent', 'match']);
    expect((await replayed(session, serve, { profile: 'shape' })).verdicts).toEqual(['match', 'sent', 'match']);
    expect((await replayed(session, serve, { profile: 'strict' })).verdicts).toEqual(['match', 'sent', 'changed']);
  });

  it('reports a timeout if no response arrives, and continues the replay', async () => {
    const more = sessionOf([...HANDSHAKE, call(1, 'slow'), '<', text(1, 'x'), '>', call(2, 'b'), '<', text(2, 'y')]);
    const serve = server(({ id = 0, params }, say) => {
      if (params?.name === 'b') say(text(id, 'y'));
    });
    const { results, verdicts } = await replayed(more, serve, { timeoutMs: 50 });
    expect(verdicts).toEqual(['match', 'sent', 'timeout', 'match']);
    expect(results[2]?.error).toBe('no response after 0.05 s');
  });

  it('reports a missing response if the server exits, and an error for each request that can no longer be sent', async () => {
    const more = sessionOf([...HANDSHAKE, call(1, 'a'), '<', text(1, 'x'), '>', call(2, 'b'), '<', text(2, 'y')]);
    const { results, verdicts } = await replayed(
      more,
      server((_, __, end) => end(7)),
    );
    expect(verdicts).toEqual(['match', 'sent', 'missing', 'error']);
    expect(results.map(({ error }) => error)).toEqual([
      undefined,
      undefined,
      'No response: the server exited with status 7',
      'Not sent: the server exited with status 7',
    ]);
  });

  it('reports a match if a task reaches its recorded state, regardless of the number of polls', async () => {
    const begin = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'research', task: { ttl: 60_000 } } };
    const about = (id: number, method: string, taskId: string): object => ({
      jsonrpc: '2.0',
      id,
      method,
      params: { taskId },
    });
    const task = (taskId: string, status: string): object => ({ taskId, status, ttl: 60_000, pollInterval: 1 });
    const answer = (id: number, result: object): object => ({ jsonrpc: '2.0', id, result });
    const more = sessionOf([
      ...HANDSHAKE,
      begin,
      '<',
      answer(1, { task: task('task-then', 'working') }),
      '>',
      about(2, 'tasks/get', 'task-then'),
      '<',
      answer(2, task('task-then', 'completed')),
      '>',
      about(3, 'tasks/result', 'task-then'),
      '<',
      text(3, 'found'),
    ]);
    const requested: unknown[] = [];
    const serve = server(({ id = 0, method, params }, say) => {
      if (method === 'tools/call') return say(answer(id, { task: task('task-now', 'working') }));
      requested.push([method, params?.taskId]);
      if (method === 'tasks/get') say(answer(id, task('task-now', requested.length < 3 ? 'working' : 'completed')));
      else say(text(id, 'found'));
    });
    expect((await replayed(more, serve)).verdicts).toEqual(['match', 'sent', 'match', 'match', 'match']);
    const polled = ['tasks/get', 'task-now'];
    expect(requested).toEqual([polled, polled, polled, ['tasks/result', 'task-now']]);
  });

  it('reports "sent" for a request without a recorded response', async () => {
    const pending = sessionOf([...HANDSHAKE, call(1, 'a')]);
    expect(
      (
        await replayed(
          pending,
          server(() => undefined),
        )
      ).verdicts,
    ).toEqual(['match', 'sent', 'sent']);
  });

  it('ignores differences between times of day, UUIDs and temporary paths', async () => {
    const [before, after] = [
      'made 7:01:34 AM as 0f0f0f0f-1111-4222-8333-444444444444 in /tmp/run-a1/out.txt',
      'made 9:22:01 PM as 9a9a9a9a-5555-4666-8777-888888888888 in /tmp/run-zz/out.txt',
    ];
    const reported = sessionOf([...HANDSHAKE, call(1, 'a'), '<', text(1, before)]);
    const other = after.replace('out.txt', 'log.txt');
    expect(
      (
        await replayed(
          reported,
          server(({ id = 0 }, say) => say(text(id, after))),
        )
      ).verdicts[2],
    ).toBe('match');
    expect(
      (
        await replayed(
          reported,
          server(({ id = 0 }, say) => say(text(id, other))),
        )
      ).verdicts[2],
    ).toBe('changed');
  });

  it('matches a placeholder with any value that the same redaction rule would remove', async () => {
    const token = `ghp_${'a1B2'.repeat(9)}`;
    const hidden = sessionOf([...HANDSHAKE, call(1, 'a'), '<', text(1, 'it is [REDACTED:github-token:0a1b2c3d]')]);
    const { results, verdicts } = await replayed(
      hidden,
      server(({ id = 0 }, say) => say(text(id, `it is ${token}`))),
    );
    expect(verdicts[2]).toBe('match');
    expect(JSON.stringify(results)).not.toContain(token);
    const other = await replayed(
      hidden,
      server(({ id = 0 }, say) => say(text(id, 'it is gone'))),
    );
    expect(other.verdicts[2]).toBe('changed');
  });
});

describe('the messages that a replay sends', () => {
  const session = sessionOf([
    ...HANDSHAKE,
    { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    '<',
    {
      jsonrpc: '2.0',
      id: 1,
      result: { tools: [{ name: 'look', annotations: { readOnlyHint: true } }, { name: 'write' }] },
    },
    '>',
    call(2, 'look'),
    '<',
    text(2, 'seen'),
    '>',
    call(3, 'write', { token: '[REDACTED:github-token:0a1b2c3d]' }),
    '<',
    text(3, 'written'),
  ]);
  const serve = (received: string[]): InProcess =>
    server(({ id = 0, method, params }, say) => {
      received.push(String(params?.name ?? method));
      if (method === 'tools/list')
        say({
          jsonrpc: '2.0',
          id,
          result: { tools: [{ name: 'look', annotations: { readOnlyHint: true } }, { name: 'write' }] },
        });
      else say(text(id, params?.name === 'look' ? 'seen' : 'written'));
    });

  it('does not send messages with placeholders unless they are allowed', async () => {
    const received: string[] = [];
    const { results } = await replayed(session, serve(received));
    expect(results.at(-1)).toMatchObject({ verdict: 'error', error: 'Not sent: it contains [REDACTED:github-token]' });
    expect(received).toEqual(['tools/list', 'look']);
    expect((await replayed(session, serve([]), { allowRedacted: true })).verdicts.at(-1)).toBe('match');
  });

  it('does not send calls of tools not marked read-only in read-only mode', async () => {
    const received: string[] = [];
    const { results } = await replayed(session, serve(received), { readOnly: true, allowRedacted: true });
    expect(results.at(-1)).toMatchObject({ verdict: 'skipped', error: 'the tool is not marked read-only' });
    expect(received).toEqual(['tools/list', 'look']);
  });

  it('sends only the selected messages and the handshake', async () => {
    const received: string[] = [];
    const { results } = await replayed(session, serve(received), { selects: ({ name }) => name === 'look' });
    expect(results.map(({ step }) => step.method)).toEqual(['initialize', 'notifications/initialized', 'tools/call']);
    expect(received).toEqual(['look']);
  });

  it('lists the planned messages in advance', async () => {
    const planned = await plannedSteps(session, { ...REPLAY_OPTIONS, readOnly: true });
    expect(planned.map(({ action }) => action.kind)).toEqual(['send', 'send', 'send', 'send', 'refuse']);
  });

  it('keeps the order of concurrent requests', async () => {
    const both = sessionOf([...HANDSHAKE, call(1, 'a'), call(2, 'b'), '<', text(2, 'b'), text(1, 'a')]);
    const received: number[] = [];
    // Answers only when it has both requests.
    const pairing = server(({ id = 0, params }, say) => {
      received.push(id);
      if (params?.name === 'b')
        for (const [index, name] of ['b', 'a'].entries()) say(text(received[1 - index] ?? 0, name));
    });
    expect((await replayed(both, pairing)).verdicts).toEqual(['match', 'sent', 'match', 'match']);
  });

  it('sends cancellations with the live id of the cancelled request', async () => {
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 71 } };
    const cancelled = sessionOf([...HANDSHAKE, call(71, 'a'), cancel]);
    const received: Requested[] = [];
    const { verdicts } = await replayed(
      cancelled,
      server((requested) => received.push(requested)),
    );
    expect(verdicts).toEqual(['match', 'sent', 'sent', 'sent']);
    expect(received[1]?.params?.requestId).toBe(received[0]?.id);
  });

  it('begins with a handshake if the recording has none, unless it is switched off', async () => {
    const bare = sessionOf(['>', call(5, 'a'), '<', text(5, 'x')]);
    const methods: unknown[] = [];
    const noting: InProcess = (say) => (line) => {
      const { id = 0, method } = JSON.parse(line) as Requested;
      methods.push(method);
      if (method === 'initialize') say({ ...HELLO, id });
      else if (id > 0) say(text(id, 'x'));
    };
    expect((await replayed(bare, noting)).verdicts).toEqual(['match']);
    expect(methods.splice(0)).toEqual(['initialize', 'notifications/initialized', 'tools/call']);
    expect((await replayed(bare, noting, { handshake: false })).verdicts).toEqual(['match']);
    expect(methods).toEqual(['tools/call']);
  });

  it('keeps the recorded pauses at the recorded speed', async () => {
    const slow = sessionOf([...HANDSHAKE, call(1, 'a'), '<', text(1, 'a')], (index) => index * 60);
    const startedMs = performance.now();
    await replayed(
      slow,
      server(({ id = 0 }, say) => say(text(id, 'a'))),
      { speed: 1 },
    );
    expect(performance.now() - startedMs).toBeGreaterThan(100);
  });
});

describe('a replay that cannot start', () => {
  it('reports that there is nothing to replay', async () => {
    const message = 'The session has no client messages to replay';
    const silent = server(() => undefined);
    await expect(replayed(sessionOf([]), silent)).rejects.toThrow(message);
    await expect(replayed(sessionOf(['<', HELLO]), silent)).rejects.toThrow(message);
  });

  it('reports that the target was never reached', async () => {
    const session = sessionOf([...HANDSHAKE]);
    const dying: InProcess = (_, end) => () => end(1);
    await expect(replayed(session, dying)).rejects.toThrow('Cannot replay: the server exited with status 1');
  });
});
