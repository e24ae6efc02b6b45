import { describe, expect, it } from 'vitest';
import { sampleCall, sampleMessage } from '../../../test/support/calls/sample-calls.ts';
import { measureCall } from './measured-call.ts';

describe('measureCall', () => {
  it('counts the bytes of a call including all its retries', () => {
    const call = sampleCall({
      request: sampleMessage('é'),
      answer: sampleMessage('1234'),
      rounds: [{ answer: sampleMessage('12345678'), retry: sampleMessage('€') }],
    });
    expect(measureCall(call)).toMatchObject({ sentBytes: 5, receivedBytes: 12 });
  });

  it('measures the time of the server apart from the time spent waiting for the user', () => {
    const call = sampleCall({ durationMs: 500, humanMs: 8500 });
    expect(measureCall(call)).toMatchObject({ durationMs: 500, humanMs: 8500 });
  });

  it.each([
    ['a stream', sampleCall({ status: 'stream', durationMs: 5 }), true],
    ['a call that was cancelled', sampleCall({ status: 'cancelled', answer: undefined, durationMs: 5 }), true],
    ['a call without an answer', sampleCall({ status: 'pending', answer: undefined, durationMs: undefined }), true],
    ['a session without times', sampleCall({ durationMs: 5, humanMs: 3 }), false],
  ])('measures no duration for %s', (_, call, hasTimes) => {
    expect(measureCall(call, hasTimes)).toMatchObject({ durationMs: undefined, humanMs: 0 });
  });
});
