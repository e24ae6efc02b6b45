import { describe, expect, it } from 'vitest';
import { Script } from '../../../test/support/calls/call-script.ts';
import type { MessageEntry } from '../../model/entry.ts';
import type { RecordedSession } from '../../model/session.ts';
import { emptySession } from '../../model/session.ts';
import type { Call, OrphanAnswer } from './call.ts';
import { marksOfCall } from './call-marks.ts';
import { CallTracker, callsOf } from './call-tracker.ts';

const MODERN = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };

function toolCall(id: number | string, more: object = {}): object {
  return { id, method: 'tools/call', params: { name: 'search', arguments: {}, ...more } };
}

function track(script: Script): { readonly calls: Call[]; readonly orphans: OrphanAnswer[] } {
  const tracker = new CallTracker();
  const all = script.entries.map((entry) => tracker.take(entry));
  const calls = [...all.flatMap((tracked) => tracked.calls), ...tracker.end()];
  return { calls, orphans: all.flatMap(({ orphans }) => orphans) };
}

function statuses(script: Script): string[] {
  return track(script).calls.map(({ request, status }) => `${request.sequence} ${status}`);
}

/** A call whose first response asks for input. */
function askForInput(script: Script, id: number, state?: string): MessageEntry {
  const request = script.client(toolCall(id, { _meta: MODERN }));
  const inputRequests = { who: { method: 'elicitation/create' } };
  const result = { resultType: 'input_required', inputRequests, requestState: state };
  return script.wait(5).server({ id, result }, { answers: request });
}

function retry(script: Script, id: number, requestState?: string): void {
  const request = script.client(toolCall(id, { inputResponses: { who: {} }, requestState, _meta: MODERN }));
  script.wait(7).server({ id, result: { resultType: 'complete' } }, { answers: request });
}

describe('CallTracker', () => {
  it('pairs a response with its request and records the duration and both sizes', () => {
    const script = new Script();
    const request = script.client(toolCall(1));
    const answer = script.wait(12).server({ id: 1, result: { content: [] } }, { answers: request });
    expect(track(script).calls).toEqual([
      expect.objectContaining({
        request,
        answer,
        method: 'tools/call',
        name: 'search',
        status: 'ok',
        durationMs: 12,
        size: { sent: '{"name":"search","arguments":{}}'.length, received: '{"content":[]}'.length },
      }),
    ]);
  });

  it.each([
    ['tools/call', { name: 'a', arguments: { name: 'b' } }, 'a'],
    ['tools/call', { arguments: { name: 'b' }, name: 'a"b' }, 'a"b'],
    ['prompts/get', { name: 'p' }, 'p'],
    ['resources/read', { uri: 'file:///x' }, 'file:///x'],
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'p' } }, 'p'],
    ['completion/complete', { ref: { type: 'ref/resource', uri: 'u' } }, 'u'],
    ['tools/list', {}, undefined],
  ])('extracts the call name from %s with params %o', (method, params, name) => {
    const script = new Script();
    script.client({ id: 1, method, params });
    expect(track(script).calls[0]?.name).toBe(name);
  });

  it.each([
    [{ error: { code: -1, message: 'no' } }, 'error'],
    [{ result: { isError: true } }, 'error'],
    [{ result: { content: [{ isError: true }] } }, 'ok'],
    [{ result: { isError: false } }, 'ok'],
    [{ result: {}, error: null }, 'ok'],
  ])('derives the call status from the response %j', (outcome, status) => {
    const script = new Script();
    script.server({ id: 1, ...outcome }, { answers: script.client(toolCall(1)) });
    expect(statuses(script)).toEqual([`0 ${status}`]);
  });

  it('distinguishes equal ids by direction, type and conversation', () => {
    const script = new Script();
    const calls = [
      script.client(toolCall(1)),
      script.client(toolCall('1')),
      script.client(toolCall(1), { conversation: 2 }),
    ];
    const [one, other, elsewhere] = calls;
    const requested = script.server({ id: 1, method: 'roots/list' });
    script.server({ id: '1', result: {} }, { answers: other });
    script.server({ id: 1, result: {} }, { answers: elsewhere, conversation: 2 });
    script.client({ id: 1, result: {} }, { answers: requested });
    script.server({ id: 1, error: {} }, { answers: one });
    expect(statuses(script)).toEqual(['1 ok', '2 ok', '3 ok', '0 error']);
  });

  it('marks an open call whose id is reused, and trusts the recorded link between response and request', () => {
    const script = new Script();
    script.client(toolCall(1));
    const again = script.client(toolCall(1));
    script.server({ id: 1, result: {} }, { answers: again });
    expect(
      track(script).calls.map(({ request, status, supersededBy }) => [request.sequence, status, supersededBy]),
    ).toEqual([
      [1, 'ok', undefined],
      [0, 'pending', 1],
    ]);
  });

  it('treats an error without an id as the response to the request it was recorded for', () => {
    const script = new Script();
    const request = script.client(toolCall(1), { exchange: 0 });
    script.server({ id: null, error: { code: -32000 } }, { answers: request, exchange: 0 });
    expect(statuses(script)).toEqual(['0 error']);
  });

  it('distinguishes cancelled calls from cancelled calls that are still answered', () => {
    const script = new Script();
    script.client(toolCall(1));
    const late = script.client(toolCall(2));
    for (const requestId of [1, 2]) script.client({ method: 'notifications/cancelled', params: { requestId } });
    script.server({ id: 2, result: {} }, { answers: late });
    expect(track(script).calls.map(({ status, cancelledBy }) => [status, cancelledBy])).toEqual([
      ['late', 3],
      ['cancelled', 2],
    ]);
  });

  it('keeps a bounded number of cancelled calls', () => {
    const script = new Script();
    for (let id = 0; id < 1001; id++) {
      script.client(toolCall(id));
      script.client({ method: 'notifications/cancelled', params: { requestId: id } });
    }
    const tracker = new CallTracker();
    const ended = script.entries.flatMap((entry) => tracker.take(entry).calls);
    expect(ended.map(({ request, status }) => [request.sequence, status])).toEqual([[0, 'cancelled']]);
  });

  it.each([
    ['a client of 2026-07-28 that leaves the stream cancels', MODERN, 'cancelled'],
    ['one of an older revision does not', {}, 'pending'],
  ])('applies the cancellation rule of the protocol version: %s', (_, meta, status) => {
    const script = new Script();
    script.client(toolCall(1, { _meta: meta }), { exchange: 0 });
    script.endExchange(0, { error: 'the client left' });
    expect(statuses(script)).toEqual([`0 ${status}`]);
  });

  it('keeps a bounded number of open calls', () => {
    const tracker = new CallTracker();
    const script = new Script();
    const [first, ...others] = Array.from({ length: 101_000 }, (_, id) => script.client(toolCall(id)));
    const given = script.entries.flatMap((entry) => tracker.take(entry).calls);
    expect(given.map(({ request, status }) => [request.sequence, status]).slice(0, 2)).toEqual([
      [0, 'pending'],
      [1, 'pending'],
    ]);
    const open = [...tracker.end()];
    expect(given.length + open.length).toBe(101_000);
    expect(open.length).toBeLessThan(101_000);
    expect(tracker.take(script.server({ id: 0, result: {} }, { answers: first })).orphans).toHaveLength(1);
    expect(tracker.take(script.server({ id: 100_999, result: {} }, { answers: others.at(-1) })).calls).toHaveLength(1);
  });

  it('marks a call as failed if its exchange was refused without a response', () => {
    const script = new Script();
    script.client({ id: 1, method: 'initialize' }, { exchange: 0, conversation: 1 });
    script.endExchange(0, { status: 401, conversation: 1 });
    expect(track(script).calls.map(({ status, answer }) => [status, answer])).toEqual([['error', undefined]]);
  });

  it('keeps a call open if its response was dropped, until it is answered otherwise', () => {
    const script = new Script();
    const [lost, replaced] = [script.client(toolCall(1)), script.client(toolCall(2))];
    const answer = script.wait(5).server({ id: 1, result: {} }, { answers: lost, dropped: true });
    script.server({ id: 2, result: {} }, { answers: replaced, dropped: true });
    script.wait(5).server({ id: 2, error: { code: 1, message: 'no' } }, { answers: replaced, injected: true });
    const { calls, orphans } = track(script);
    expect(orphans).toEqual([]);
    expect(calls).toMatchObject([
      { request: replaced, status: 'error', durationMs: 10 },
      { request: lost, status: 'pending', answer: { sequence: answer.sequence }, durationMs: undefined },
    ]);
    expect(calls.map(marksOfCall)).toEqual([['injected'], ['dropped']]);
  });

  it('marks a call whose notifications were edited', () => {
    const script = new Script();
    script.client(toolCall(1, { _meta: { progressToken: 1 } }));
    script.client(toolCall(2));
    const notices = [
      script.server({ method: 'notifications/progress', params: { progressToken: 1, progress: 1 } }),
      script.client({ method: 'notifications/cancelled', params: { requestId: 2 } }),
    ];
    const tracker = new CallTracker();
    const marked = script.entries.map((entry) =>
      notices.some((notice) => notice === entry) ? { ...entry, modified: true } : entry,
    );
    for (const entry of marked) tracker.take(entry as MessageEntry);
    expect([...tracker.end()].map(marksOfCall)).toEqual([['modified'], ['modified']]);
  });

  it('reports orphan responses with the reason', () => {
    const script = new Script();
    script.server({ id: 1, result: {} }, { answers: script.client(toolCall(1)) });
    script.server({ id: 1, result: {} });
    script.server({ id: 2, result: {} });
    script.server({ id: null, error: {} });
    expect(track(script).orphans.map(({ message, why }) => [message.sequence, why])).toEqual([
      [2, 'answered-before'],
      [3, 'unknown-id'],
      [4, 'no-id'],
    ]);
  });

  it('assigns progress to the call with its token, and to no call if two share the token', () => {
    const script = new Script();
    script.client(toolCall(1, { _meta: { progressToken: 1 } }));
    script.client(toolCall(2, { _meta: { progressToken: '1' } }));
    for (const id of [3, 4]) script.client(toolCall(id, { _meta: { progressToken: 't' } }));
    for (const progressToken of [1, '1', 't']) {
      script.server({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
    }
    expect(track(script).calls.map(({ progress }) => progress)).toEqual([[4], [5], [], []]);
  });

  it.each([
    ['at the end', { name: 'search', _meta: { progressToken: 't' } }, [1]],
    ['with an escape in it', { name: 'search', _meta: { progressToken: 't', x: '\\' } }, [1]],
    ['at the beginning', { _meta: { progressToken: 't', traceparent: '0' }, name: 'search' }, [1]],
    ['inside the arguments only', { name: 'search', arguments: { _meta: { progressToken: 't' } } }, []],
  ])('looks up the progress token of a call: %s', (_, params, progress) => {
    const script = new Script();
    script.client({ id: 1, method: 'tools/call', params });
    script.server({ method: 'notifications/progress', params: { progressToken: 't', progress: 1 } });
    expect(track(script).calls[0]?.progress).toEqual(progress);
  });

  it('assigns server log messages and requests to the only call they can belong to', () => {
    const script = new Script();
    const only = script.client(toolCall(1));
    script.server({ method: 'notifications/message', params: { data: 'x' } });
    const requested = script.server({ id: 0, method: 'sampling/createMessage' });
    script.server({ id: 1, method: 'ping' });
    script.client(toolCall(2));
    script.server({ method: 'notifications/message', params: { data: 'y' } });
    script.client({ id: 0, result: {} }, { answers: requested });
    script.server({ id: 1, result: {} }, { answers: only });
    const [, call] = track(script).calls;
    expect(call).toMatchObject({ request: { sequence: 0 }, logs: [1], nested: [2] });
  });

  it('assigns a log message to the call that was sent in the same exchange', () => {
    const script = new Script();
    for (const exchange of [0, 1]) script.client(toolCall(exchange), { exchange });
    script.server({ method: 'notifications/message', params: {} }, { exchange: 1 });
    script.server({ method: 'notifications/message', params: {} }, { exchange: 2 });
    expect(track(script).calls.map(({ logs }) => logs)).toEqual([[], [2]]);
  });

  it('assigns sampling and elicitation on another stream to the only open call, but not logs or roots/list', () => {
    const script = new Script();
    script.client(toolCall(1), { exchange: 0 });
    script.server({ method: 'notifications/message', params: {} }, { exchange: 9 });
    script.server({ id: 0, method: 'roots/list' }, { exchange: 9 });
    script.server({ id: 1, method: 'elicitation/create' }, { exchange: 9 });
    script.server({ id: 2, method: 'sampling/createMessage' }, { exchange: 9 });
    expect(track(script).calls[0]).toMatchObject({ logs: [], nested: [3, 4] });
  });

  it('measures the time spent waiting for the user', () => {
    const script = new Script();
    const call = script.client(toolCall(1));
    const requested = script.wait(10).server({ id: 1, method: 'elicitation/create' });
    script.wait(500).client({ id: 1, result: { action: 'accept' } }, { answers: requested });
    script.wait(20).server({ id: 1, result: {} }, { answers: call });
    expect(track(script).calls[1]).toMatchObject({ durationMs: 30, spanMs: 530, humanMs: 500 });
  });
});

describe('a call that requires input', () => {
  it('counts a call and its retry as one call, matched by requestState', () => {
    const script = new Script();
    askForInput(script, 1, 'opaque-1');
    askForInput(script, 2, 'opaque-2');
    script.wait(100);
    retry(script, 3, 'opaque-2');
    retry(script, 4, 'opaque-1');
    const calls = track(script).calls.map(({ request, answer, rounds, durationMs, humanMs }) => ({
      messages: [request, ...rounds.flatMap((round) => [round.answer, round.retry]), answer].map((m) => m?.sequence),
      durationMs,
      humanMs,
    }));
    expect(calls).toEqual([
      { messages: [2, 3, 4, 5], durationMs: 12, humanMs: 100 },
      { messages: [0, 1, 6, 7], durationMs: 12, humanMs: 112 },
    ]);
  });

  it('matches a retry without requestState by its params', () => {
    const script = new Script();
    askForInput(script, 1);
    retry(script, 2);
    expect(track(script).calls.map(({ rounds, status }) => [rounds.length, status])).toEqual([[1, 'ok']]);
  });

  it.each([undefined, 'same'])('matches no retry that could belong to several calls (state %s)', (state) => {
    const script = new Script();
    askForInput(script, 1, state);
    askForInput(script, 2, state);
    retry(script, 3, state);
    retry(script, 4, state);
    expect(track(script).calls.map(({ rounds, status }) => [rounds.length, status])).toEqual([
      [0, 'ok'],
      [0, 'ok'],
      [0, 'pending'],
      [0, 'pending'],
    ]);
  });
});

describe('a task', () => {
  it.each([
    ['2025-11-25', { task: { taskId: 't', status: 'working' } }],
    ['2026-07-28', { resultType: 'task', taskId: 't', status: 'working' }],
  ])('links a task of revision %s to the call that started it', (_, created) => {
    const script = new Script();
    const began = script.client(toolCall(1, { task: {}, _meta: { progressToken: 'p' } }));
    script.wait(3).server({ id: 1, result: created }, { answers: began });
    script.server({ method: 'notifications/progress', params: { progressToken: 'p', progress: 1 } });
    const requested = script.client({ id: 2, method: 'tasks/get', params: { taskId: 't' } });
    script.wait(40).server({ id: 2, result: { taskId: 't', status: 'completed' } }, { answers: requested });
    script.client({ id: 3, method: 'tasks/result', params: { taskId: 't' } });
    expect(track(script).calls).toMatchObject([
      { task: 't', durationMs: 3, progress: [2], taskOutcome: { status: 'completed', sequence: 4, afterMs: 43 } },
      { method: 'tasks/get', origin: 0 },
      { method: 'tasks/result', origin: 0 },
    ]);
  });

  it('the time that a task waits for the user does not shorten the call that started it', () => {
    const script = new Script();
    const began = script.client(toolCall(1, { task: {} }));
    script.wait(3).server({ id: 1, result: { task: { taskId: 't', status: 'working' } } }, { answers: began });
    const params = { _meta: { 'io.modelcontextprotocol/related-task': { taskId: 't' } } };
    const question = script.server({ id: 1, method: 'elicitation/create', params });
    script.wait(500).client({ id: 1, result: {} }, { answers: question });
    script.server({ method: 'notifications/tasks/status', params: { taskId: 't', status: 'completed' } });
    expect(track(script).calls.find(({ task }) => task === 't')).toMatchObject({
      durationMs: 3,
      spanMs: 3,
      humanMs: 500,
      taskOutcome: { afterMs: 503 },
    });
  });

  it('does not count the time that a task waits for the user for the request that waits for its result', () => {
    const script = new Script();
    const began = script.client(toolCall(1, { task: {} }));
    script.wait(3).server({ id: 1, result: { task: { taskId: 't', status: 'working' } } }, { answers: began });
    const params = { _meta: { 'io.modelcontextprotocol/related-task': { taskId: 't' } } };
    const first = script.wait(10).server({ id: 1, method: 'elicitation/create', params });
    const waiting = script.wait(20).client({ id: 2, method: 'tasks/result', params: { taskId: 't' } });
    script.wait(30).client({ id: 1, result: {} }, { answers: first });
    const second = script.wait(5).server({ id: 2, method: 'elicitation/create', params });
    script.wait(500).client({ id: 2, result: {} }, { answers: second });
    script.wait(7).server({ id: 2, result: {} }, { answers: waiting });
    const { calls } = track(script);
    expect(calls.find(({ method }) => method === 'tasks/result')).toMatchObject({ durationMs: 12, humanMs: 530 });
    expect(calls.find(({ task }) => task === 't')).toMatchObject({ humanMs: 550 });
  });

  it('reports a call whose task id is reused by a later call', () => {
    const script = new Script();
    for (const id of [1, 2]) {
      script.server({ id, result: { task: { taskId: 't' } } }, { answers: script.client(toolCall(id)) });
    }
    expect(statuses(script)).toEqual(['0 ok', '2 ok']);
  });
});

describe('a subscription stream', () => {
  it('does not report an open subscription stream as a hung call', () => {
    const script = new Script();
    script.client({ id: 'listen:0', method: 'subscriptions/listen', params: { _meta: MODERN } }, { exchange: 0 });
    expect(statuses(script)).toEqual(['0 stream']);
  });

  it('ends a subscription stream with its exchange', () => {
    const script = new Script();
    script.client({ id: 'listen:0', method: 'subscriptions/listen', params: { _meta: MODERN } }, { exchange: 0 });
    script.endExchange(0, { error: 'the client left' });
    const tracker = new CallTracker();
    expect(script.entries.flatMap((entry) => tracker.take(entry).calls)).toMatchObject([{ status: 'stream' }]);
  });
});

it('tracks 10,000 open calls with one id, in whatever order errors without an id answer them', () => {
  const script = new Script();
  const requests = Array.from({ length: 10_000 }, () => script.client(toolCall(1)));
  for (const answers of requests.reverse()) script.server({ error: { code: 1, message: '' } }, { answers });
  const { calls, orphans } = track(script);
  expect(new Set(calls.map(({ status }) => status))).toEqual(new Set(['error']));
  expect([calls.length, orphans.length]).toEqual([10_000, 0]);
});

describe('callsOf', () => {
  it('returns the calls of a session in the order they end, with open calls last', async () => {
    const script = new Script();
    script.client({ id: 0, method: 'server/discover' });
    script.server({ id: 1, result: {} }, { answers: script.client(toolCall(1)) });
    const session: RecordedSession = {
      ...emptySession('test'),
      async *batches() {
        yield script.entries;
      },
    };
    const calls: Call[] = [];
    for await (const call of callsOf(session)) calls.push(call);
    expect(calls.map(({ method, status, isProbe }) => [method, status, isProbe])).toEqual([
      ['tools/call', 'ok', false],
      ['server/discover', 'pending', true],
    ]);
  });
});
