import { expect, it } from 'vitest';
import { expectLinearGrowth } from './growth.ts';

/** Measures simulated work of 1,000 and 8,000 pieces with the given durations and occasional interruptions. */
function measure(msFor: (pieces: number) => number): Promise<void> {
  let nowMs = 0;
  let runs = 0;
  const work = (pieces: number) => () => {
    nowMs += msFor(pieces) + (++runs % 20 === 0 ? 500 : 0);
  };
  return expectLinearGrowth({ small: work(1000), large: work(8000), times: 8 }, () => nowMs);
}

it('accepts work that grows linearly, on a machine that is busy at times', async () => {
  await measure((pieces) => pieces / 100);
});

it('rejects work that grows quadratically', async () => {
  await expect(measure((pieces) => pieces ** 2 / 1e4)).rejects.toThrow('to be less than or equal to 4');
});
