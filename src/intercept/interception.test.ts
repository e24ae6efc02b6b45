import { describe, expect, it } from 'vitest';
import { GITHUB_TOKEN } from '../../test/support/sample-secrets.ts';
import { loadFilter } from '../analysis/filter/filter.ts';
import type { Direction } from '../model/entry.ts';
import { createRedactor } from '../redact/redactor.ts';
import type { Decision } from './held-message.ts';
import { Interception, type InterceptionOptions } from './interception.ts';

const call = (id: number, tool: string, text = 'x'): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${tool}","arguments":{"text":"${text}"}}}`;
const result = (id: number): string => `{"jsonrpc":"2.0","id":${id},"result":{"content":[]}}`;
const failure = (id: number): string => `{"jsonrpc":"2.0","id":${id},"result":{"isError":true,"content":[]}}`;

function intercept(options: InterceptionOptions = { mode: 'intercept' }) {
  const recorded: string[] = [];
  let ids = 0;
  const injected: unknown[] = [];
  let nowMs = 1000;
  const redactor = createRedactor({ mode: 'secrets', salt: 'salt' });
  const interception = new Interception(options, {
    facts: { id: 's', label: 'shop', pid: 1, startedAtMs: 0, transport: 'stdio', trace: 't' },
    newId: () => `m${ids++}`,
    nowMs: () => nowMs,
    redactor,
    recordAction: (raw) => recorded.push(raw),
    nextSeq: () => recorded.length,
    save: (path) => Promise.resolve(path ?? 'default'),
  });
  interception.injector = (...injection) => injected.push(injection);
  const settled = new Map<string, Decision>();
  const admit = (text: string, direction: Direction = 'client_to_server'): void =>
    void interception.interceptor.ask([text], { direction, atMs: nowMs, conversation: 0 }, (settlements) => {
      for (const { decision } of settlements) settled.set(text, decision);
    });
  const actions = (): unknown[] => recorded.map((raw) => JSON.parse(raw));
  const wait = (ms: number): void => {
    nowMs += ms;
  };
  const onlyHeld = (): string => {
    const [held, ...more] = interception.held;
    expect(more).toEqual([]);
    return held?.id ?? '';
  };
  return { interception, redactor, admit, settled, actions, injected, wait, onlyHeld };
}

describe('a held message', () => {
  it('a held message is recorded at once with its text, and its release with the time it was held', async () => {
    const { interception, admit, actions, wait, onlyHeld } = intercept();
    admit(call(1, 'search'));
    const id = onlyHeld();
    expect(actions()).toEqual([{ action: 'hold', of: id, dir: 'in', text: JSON.parse(call(1, 'search')) }]);
    wait(1500);
    await interception.decide(id, { action: 'drop' });
    expect(actions()[1]).toEqual({ action: 'release', of: id, as: 'drop', by: 'screen', ms: 1500 });
  });

  it('a held message cannot be decided on twice', async () => {
    const { interception, admit, onlyHeld } = intercept();
    admit(call(1, 'search'));
    const id = onlyHeld();
    await interception.decide(id, { action: 'forward' });
    await expect(interception.decide(id, { action: 'drop' })).rejects.toThrow(`No held message has the id ${id}`);
  });

  it('a held request is answered with its own id', async () => {
    const { interception, admit, settled, onlyHeld } = intercept();
    admit(call(1, 'search').replace('"id":1', '"id":12345678901234567890'));
    await interception.decide(onlyHeld(), { action: 'answer', result: '{"content":[]}' });
    expect([...settled.values()]).toEqual([
      { action: 'answer', text: '{"jsonrpc":"2.0","id":12345678901234567890,"result":{"content":[]}}' },
    ]);
  });

  it('answering a held response replaces it', async () => {
    const { interception, admit, settled, onlyHeld } = intercept();
    admit(result(1), 'server_to_client');
    await interception.decide(onlyHeld(), { action: 'answer', error: '{"code":1,"message":"no"}' });
    expect(settled.get(result(1))).toEqual({
      action: 'edit',
      text: '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}',
    });
  });

  it('a held notification cannot be answered and stays held', async () => {
    const { interception, admit, onlyHeld } = intercept();
    admit('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    const answering = interception.decide(onlyHeld(), { action: 'answer', result: '{}' });
    await expect(answering).rejects.toThrow('A notification cannot be answered');
    expect(interception.held).toHaveLength(1);
  });
});

describe('an edit', () => {
  it('an edit that is not valid JSON is sent only if confirmed', async () => {
    const { interception, admit, settled, onlyHeld } = intercept();
    admit(call(1, 'search'));
    const id = onlyHeld();
    await expect(interception.decide(id, { action: 'edit', text: '{"a":' })).rejects.toThrow('The text is not JSON');
    const done = await interception.decide(id, { action: 'edit', text: '{"a":', confirmed: true });
    expect(done.hints).toEqual(['The message is not JSON.']);
    expect(settled.get(call(1, 'search'))).toEqual({ action: 'edit', text: '{"a":' });
  });

  it('an edit that is not valid JSON-RPC is sent, with a hint', async () => {
    const { interception, admit, onlyHeld } = intercept();
    admit(call(1, 'search'));
    const { hints } = await interception.decide(onlyHeld(), { action: 'edit', text: '{"id":1,"method":"m"}' });
    expect(hints).toEqual(['Not valid JSON-RPC 2.0: "jsonrpc" must be "2.0".']);
  });

  it('an edit gets the original values of its placeholders back', async () => {
    const { interception, redactor, admit, settled, onlyHeld } = intercept();
    const seen = call(1, 'search', `${GITHUB_TOKEN} a`);
    const [recorded = ''] = /\[REDACTED[^\]]*\]/.exec(redactedText(redactor, seen)) ?? [];
    expect(recorded).toContain('github-token');
    admit(seen);
    await interception.decide(onlyHeld(), { action: 'edit', text: call(1, 'search', `${recorded} b`) });
    expect(settled.get(seen)).toEqual({ action: 'edit', text: call(1, 'search', `${GITHUB_TOKEN} b`) });
  });

  it('an edit with an unknown placeholder is refused', async () => {
    const { interception, admit, onlyHeld } = intercept();
    admit(call(1, 'search'));
    const text = call(1, 'search', '[REDACTED:github-token:00000000]');
    const editing = interception.decide(onlyHeld(), { action: 'edit', text });
    await expect(editing).rejects.toThrow('The value of [REDACTED:github-token:00000000] is unknown');
  });
});

function redactedText(redactor: ReturnType<typeof createRedactor>, text: string): string {
  const entry = { kind: 'message', sequence: 0, proxyId: '', atMs: 0, direction: 'client_to_server', text } as const;
  const redacted = redactor.entry(entry);
  return redacted.kind === 'message' ? redacted.text : '';
}

describe('the intercept filter', () => {
  it.each([
    ['tool:search <', [result(1)]],
    ['tool:search', [call(1, 'search'), result(1)]],
    ['status:error', [failure(2)]],
    ['dur:>500ms', [failure(2)]],
    ['method:tools/call -tool:search >', [call(2, 'other')]],
    ['server:shop status:ok', [result(1)]],
  ])('the filter %s holds matching messages, and matches a response by its request', async (text, expected) => {
    const { interception, admit, wait } = intercept({ mode: 'intercept', filter: await loadFilter(text) });
    admit(call(1, 'search'));
    admit(result(1), 'server_to_client');
    admit(call(2, 'other'));
    wait(1000);
    admit(failure(2), 'server_to_client');
    expect(interception.held.map((held) => held.text)).toEqual(expected);
  });

  it('the filter can be changed at any time, and an invalid filter changes nothing', async () => {
    const { interception, admit } = intercept({});
    await expect(interception.setMode('intercept', 'tool:')).rejects.toThrow(/column|tool:/);
    expect(interception.state.mode).toBe('passthrough');
    await interception.setMode('intercept', 'tool:search');
    admit(call(1, 'other'));
    admit(call(2, 'search'));
    expect(interception.state).toMatchObject({ mode: 'intercept', filter: 'tool:search' });
    expect(interception.held).toHaveLength(1);
  });

  it('the mode that was set last wins, even if an earlier filter is still loading', async () => {
    const { interception } = intercept({});
    const requested = [interception.setMode('intercept', 'tool:search'), interception.setMode('passthrough')];
    await Promise.all(requested);
    expect(interception.state.mode).toBe('passthrough');
  });

  it('a new filter matches responses to requests that were held before it was set', async () => {
    const { interception, admit, onlyHeld } = intercept();
    admit(call(1, 'search'));
    await interception.decide(onlyHeld(), { action: 'forward' });
    await interception.setMode('intercept', 'tool:search <');
    admit(result(1), 'server_to_client');
    expect(interception.held.map((held) => held.text)).toEqual([result(1)]);
  });

  it('the filter matches a response by the edited request', async () => {
    const { interception, admit, onlyHeld } = intercept({ mode: 'intercept', filter: await loadFilter('tool:search') });
    admit(call(1, 'search'));
    await interception.decide(onlyHeld(), { action: 'edit', text: call(7, 'find') });
    await interception.setMode('intercept', 'tool:find');
    admit(result(7), 'server_to_client');
    expect(interception.held.map((held) => held.text)).toEqual([result(7)]);
  });

  it('the initial filter is restored when the last controller leaves', async () => {
    const { interception } = intercept({ mode: 'intercept', filter: await loadFilter('tool:search') });
    const leave = interception.takeCharge();
    await interception.setMode('intercept', 'tool:other');
    const states: unknown[] = [];
    interception.listen({ onState: ({ filter }) => states.push(filter) });
    leave();
    expect(states).toEqual(['tool:search']);
  });
});

describe('an injected message', () => {
  it('an injected message is sent and recorded', async () => {
    const { interception, injected, actions } = intercept({});
    const text = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';
    await interception.inject({ direction: 'server_to_client', text });
    expect(injected).toEqual([['server_to_client', text, undefined]]);
    expect(actions()).toEqual([{ action: 'inject', dir: 'out' }]);
  });

  it('a message cannot be injected after the session has ended', async () => {
    const { interception } = intercept({});
    interception.end();
    const injecting = interception.inject({ direction: 'server_to_client', text: '{}' });
    await expect(injecting).rejects.toThrow('The session has ended');
  });
});

it('notifies listeners of held and released messages and of the end of the session', async () => {
  const { interception, admit, onlyHeld } = intercept();
  const reported: string[] = [];
  interception.listen({
    onHeld: ({ id }) => reported.push(`held ${id}`),
    onReleased: ({ id, by }) => reported.push(`released ${id} by ${by}`),
    onEnd: () => reported.push('end'),
  });
  admit(call(1, 'search'));
  const id = onlyHeld();
  interception.end();
  expect(reported).toEqual([`held ${id}`, `released ${id} by end`, 'end']);
});
