import { describe, expect, it } from 'vitest';
import type { Decision, Settlement } from '../../intercept/held-message.ts';
import { ownAnswerTo } from './own-answer.ts';
import { sentAnswer } from './sent-body.ts';

const REQUEST = '{"jsonrpc":"2.0","id":1,"method":"a"}';
const NOTE = '{"jsonrpc":"2.0","method":"b"}';
const ANSWER = '{"jsonrpc":"2.0","id":1,"result":{}}';
const DROP: Decision = { action: 'drop' };

const head = (accept = '*/*') => ({ method: 'POST', path: '/', headers: ['Accept', accept] });
const settled = (inBatch: boolean, ...messages: readonly [text: string, decision: Decision][]): Settlement[] =>
  messages.map(([text, decision]) => ({ id: 'm', text, atMs: 0, inBatch, decision }));

describe('the response to a request that is not forwarded', () => {
  it('returns the chosen answer, as JSON unless only event streams are accepted', () => {
    const frame = settled(false, [REQUEST, { action: 'answer', text: ANSWER }]);
    const json = { status: 200, contentType: 'application/json', text: ANSWER };
    for (const accept of ['*/*', 'application/json, text/event-stream', '']) {
      expect(ownAnswerTo(head(accept), frame, false)).toMatchObject(json);
    }
    expect(ownAnswerTo(head('text/event-stream'), frame, false)).toMatchObject({ contentType: 'text/event-stream' });
  });

  it('returns an array of the answered messages for a batch', () => {
    const frame = settled(true, [REQUEST, DROP], [REQUEST, { action: 'answer', text: ANSWER }], [NOTE, DROP]);
    expect(ownAnswerTo(head(), frame, false)).toMatchObject({ status: 200, body: `[${ANSWER}]` });
  });

  it('returns 202 if the client expects no response', () => {
    expect(ownAnswerTo(head(), settled(false, [NOTE, DROP]), false)).toEqual({
      status: 202,
      body: '',
      text: undefined,
    });
    expect(ownAnswerTo(head(), settled(false, [REQUEST, DROP]), true)).toMatchObject({ status: 202 });
  });

  it('returns nothing if the client expects a response that was dropped', () => {
    expect(ownAnswerTo(head(), settled(true, [REQUEST, DROP], [NOTE, DROP]), false)).toBeUndefined();
  });
});

describe('the forwarded part of a response', () => {
  const chunks = [Buffer.from(ANSWER)];
  const textOf = (frame: readonly Settlement[], owed: readonly string[]): string | undefined =>
    sentAnswer([], { chunks, settled: frame }, owed)?.chunks.join('');

  it('forwards the original response if there is nothing to add or change', () => {
    const sent = sentAnswer(['A', '1'], { chunks, settled: settled(false, [ANSWER, { action: 'forward' }]) }, []);
    expect(sent).toEqual({ headers: ['A', '1'], chunks, isSame: true });
    expect(textOf(settled(false, [ANSWER, DROP]), [])).toBeUndefined();
  });

  it('combines the forwarded response with our own answers to the rest of a batch', () => {
    const forwarded = settled(true, [ANSWER, { action: 'forward' }]);
    expect(textOf(forwarded, ['{"a":1}'])).toBe(`[{"a":1},${ANSWER}]`);
    expect(textOf(settled(false, [ANSWER, DROP]), ['{"a":1}'])).toBe('[{"a":1}]');
  });
});
