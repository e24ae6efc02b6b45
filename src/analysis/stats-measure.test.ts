import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleCall, sampleMessage } from './sample-calls.ts';
import { measureCall, utf8Length } from './stats-measure.ts';

describe('utf8Length', () => {
  it('counts the bytes that an encoder would write, of any text', () => {
    const anything = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units));
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), anything), (text) => {
        expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length);
      }),
    );
  });

  it.each(['a', 'é', '€', '🎞', '\ud800'])('counts on beyond what is encoded at once: %j', (character) => {
    const text = `x${character.repeat(100_000)}`;
    expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length);
  });
});

describe('measureCall', () => {
  it('counts the bytes of a call with all its retries', () => {
    const call = sampleCall({
      request: sampleMessage('é'),
      answer: sampleMessage('1234'),
      rounds: [{ answer: sampleMessage('12345678'), retry: sampleMessage('€') }],
    });
    expect(measureCall(call)).toMatchObject({ sentBytes: 5, receivedBytes: 12 });
  });

  it('does not hold against a server that a person was asked', () => {
    const call = sampleCall({ durationMs: 9000, humanMs: 8500 });
    expect(measureCall(call)).toMatchObject({ durationMs: 500, humanMs: 8500 });
  });

  it.each([
    ['a stream', sampleCall({ status: 'stream', durationMs: 5 }), true],
    ['a call that was cancelled', sampleCall({ status: 'cancelled', answer: undefined, durationMs: 5 }), true],
    ['a call without an answer', sampleCall({ status: 'pending', answer: undefined, durationMs: undefined }), true],
    ['a session without times', sampleCall({ durationMs: 5, humanMs: 3 }), false],
  ])('takes no time from %s', (_, call, hasTimes) => {
    expect(measureCall(call, hasTimes)).toMatchObject({ durationMs: undefined, humanMs: 0 });
  });
});
