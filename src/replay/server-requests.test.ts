import { describe, expect, it } from 'vitest';
import { call, HANDSHAKE, replayed, server, text } from '../../test/support/replay/in-process-replay.ts';
import { type InProcess, sessionOf } from '../../test/support/replay/sample-talk.ts';

describe('server requests during a replay', () => {
  const question = { jsonrpc: '2.0', id: 1, method: 'elicitation/create', params: { message: 'Who?' } };
  const reply = { jsonrpc: '2.0', id: 1, result: { action: 'accept', content: { name: 'Ada' } } };
  const session = sessionOf([...HANDSHAKE, call(1, 'greet'), '<', question, '>', reply, '<', text(1, 'Hello Ada')]);

  function greeter(message: string, isRequested = true): InProcess {
    let caller = 0;
    const greet = (result: unknown): string =>
      `Hello ${(result as { content?: { name: string } }).content?.name ?? 'you'}`;
    return server(({ id = 0, method, result, error }, say) => {
      if (method === 'tools/call') {
        caller = id;
        // Uses the same id as the client's own request.
        if (isRequested) say({ ...question, id, params: { message } });
        else say(text(id, 'Hello Ada'));
      } else say(text(caller, error === undefined ? greet(result) : 'Hello nobody'));
    });
  }

  it('answers server requests with the recorded client response, and never mistakes them for a response', async () => {
    expect((await replayed(session, greeter('Who?'))).verdicts).toEqual(['match', 'sent', 'match']);
  });

  it('reports server requests that changed', async () => {
    const { results } = await replayed(session, greeter('What is your name?'));
    expect(results[2]).toMatchObject({
      verdict: 'changed',
      differences: [{ path: '$.params.message', recorded: '"Who?"', replayed: '"What is your name?"' }],
    });
  });

  it('shows server requests without secrets, and reports no change of a redacted value', async () => {
    const token = `ghp_${'a1B2'.repeat(9)}`;
    const { results } = await replayed(session, greeter(`Who? ${token}`));
    expect(results[2]?.differences).toMatchObject([
      { replayed: expect.stringMatching(/^"Who\? \[REDACTED:github-token:/) },
    ]);
    const hidden = { ...question, params: { message: 'Who? [REDACTED:github-token:0a1b2c3d]' } };
    const clean = sessionOf([...HANDSHAKE, call(1, 'greet'), '<', hidden, '>', reply, '<', text(1, 'Hello Ada')]);
    expect((await replayed(clean, greeter(`Who? ${token}`))).verdicts).toEqual(['match', 'sent', 'match']);
  });

  it('accepts server requests that a timer sends shortly after the response', async () => {
    const timed = server(({ id = 0, method }, say) => {
      if (method !== 'tools/call') return;
      say(text(id, 'Hello Ada'));
      setTimeout(() => say({ ...question, id: 7 }), 20);
    });
    expect((await replayed(session, timed)).verdicts).toEqual(['match', 'sent', 'match']);
  });

  it('reports server requests that no longer arrive', async () => {
    const { results } = await replayed(session, greeter('Who?', false));
    expect(results[2]).toMatchObject({
      verdict: 'changed',
      differences: [{ path: '$.method', recorded: '"elicitation/create"', replayed: undefined }],
    });
  });

  it.each([
    ['decline', 'Hello you', 'declined'],
    ['error', 'Hello nobody', 'answered with an error'],
  ] as const)('answers unrecorded server requests by policy: %s', async (onServerRequest, sent, words) => {
    const without = sessionOf([...HANDSHAKE, call(1, 'greet'), '<', text(1, 'Hello Ada')]);
    const { results, notes } = await replayed(without, greeter('Who?'), { onServerRequest });
    expect(JSON.stringify(results[2]?.response)).toContain(sent);
    expect(notes).toEqual([`The server sent elicitation/create, which is not in the recording: ${words}`]);
  });

  it('does not send a recorded response with redacted parts', async () => {
    const secret = { ...reply, result: { action: 'accept', content: { name: '[REDACTED:github-token:0a1b2c3d]' } } };
    const hidden = sessionOf([...HANDSHAKE, call(1, 'greet'), '<', question, '>', secret, '<', text(1, 'Hello Ada')]);
    const { notes } = await replayed(hidden, greeter('Who?'));
    expect(notes).toEqual([
      'The recorded response to elicitation/create contains [REDACTED:github-token]: declined instead',
    ]);
    const allowed = await replayed(hidden, greeter('Who?'), { allowRedacted: true });
    expect(allowed.notes).toEqual([]);
  });
});
