import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Choice, Simulation } from '../../../test/support/calls/call-simulation.ts';
import { type PlainCall, plainTruth } from '../../../test/support/calls/call-truth.ts';
import type { Call } from './call.ts';
import { CallTracker } from './call-tracker.ts';

const STEPS = [
  'ask',
  'ask',
  'ask',
  'answer',
  'answer',
  'answer',
  'retry',
  'followTask',
  'cancel',
  'progress',
  'log',
  'stray',
] as const;

interface Step extends Choice {
  readonly does: (typeof STEPS)[number] | 'endExchange';
  readonly ms: number;
}

function anySteps(more: readonly 'endExchange'[]): fc.Arbitrary<Step[]> {
  const does = fc.constantFrom(...STEPS, ...more);
  const step = fc.record({ does, a: fc.nat(60), b: fc.nat(60), c: fc.nat(60), ms: fc.nat(9) });
  return fc.array(step, { minLength: 1, maxLength: 120, size: 'max' });
}

function simulate(steps: readonly Step[], isHttp: boolean): Simulation {
  const simulation = new Simulation(isHttp);
  for (const { does, ms, ...choice } of steps) {
    simulation.script.wait(ms);
    simulation[does](choice);
  }
  return simulation;
}

/** The tracker's result for a simulation, in the order of the requests. */
function track({ script }: Simulation): Pick<Simulation, 'orphans'> & { readonly calls: PlainCall[] } {
  const tracker = new CallTracker();
  const calls: PlainCall[] = [];
  const orphans: Simulation['orphans'] = [];
  for (const [n, entry] of script.entries.entries()) {
    const tracked = tracker.take(entry);
    for (const call of tracked.calls) calls.push(plain(call, n + 1));
    for (const { message, why } of tracked.orphans) orphans.push({ sequence: message.sequence, why });
  }
  for (const call of tracker.end()) calls.push(plain(call, undefined));
  return { calls: calls.sort((a, b) => a.request - b.request), orphans };
}

function plain(call: Call, overAfter: number | undefined): PlainCall {
  const { request, answer, rounds } = call;
  return {
    ...call,
    request: request.sequence,
    answer: answer?.sequence,
    rounds: rounds.map((round) => ({ answer: round.answer.sequence, retry: round.retry.sequence })),
    overAfter,
  };
}

describe('CallTracker on generated sessions', () => {
  it.each([
    ['over one pair of streams', false],
    ['over HTTP', true],
  ])('tracks exactly the calls and orphan responses of any generated session, %s', (_, isHttp) => {
    fc.assert(
      fc.property(anySteps(isHttp ? ['endExchange'] : []), (steps) => {
        const simulation = simulate(steps, isHttp);
        const { orphans } = simulation;
        expect(track(simulation)).toEqual({ calls: simulation.calls.map(plainTruth), orphans });
      }),
    );
  });
});
