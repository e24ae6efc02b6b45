import type { JSX } from 'preact';
import { formatDuration } from '../../../src/present/figures.ts';
import type { DurationSpread } from '../../model/tools/tool-spread.ts';
import { formatCount } from '../../state/times.ts';

const BAR_PX = 5;
const HEIGHT_PX = 18;

/** A bar chart of call durations: one bar for each doubling, starting below 1 ms. */
export function SpreadChart({ spread }: { readonly spread: DurationSpread }): JSX.Element {
  const { bins } = spread;
  const max = Math.max(1, ...bins);
  return (
    <svg
      class="spread"
      role="img"
      aria-label={describe(bins)}
      width={bins.length * BAR_PX}
      height={HEIGHT_PX}
      viewBox={`0 0 ${bins.length * BAR_PX} ${HEIGHT_PX}`}
    >
      <title>{describe(bins)}</title>
      <line x1={0} x2={bins.length * BAR_PX} y1={HEIGHT_PX - 0.5} y2={HEIGHT_PX - 0.5} class="spread-ground" />
      {bins.map((count, bin) => {
        // Even one call of thousands must be visible.
        const height = count === 0 ? 0 : Math.max(2, (count / max) * (HEIGHT_PX - 2));
        return count === 0 ? null : (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies a bin
            key={bin}
            x={bin * BAR_PX}
            y={HEIGHT_PX - 1 - height}
            width={BAR_PX - 1}
            height={height}
          />
        );
      })}
    </svg>
  );
}

/** `3 below 1 ms, 2 from 4 to 8 ms` */
function describe(bins: readonly number[]): string {
  const sent = bins.flatMap((count, bin) => {
    if (count === 0) return [];
    if (bin === 0) return [`${formatCount(count)} below 1 ms`];
    if (bin === bins.length - 1) return [`${formatCount(count)} from ${formatDuration(2 ** (bin - 1))} on`];
    return [`${formatCount(count)} from ${formatDuration(2 ** (bin - 1))} to ${formatDuration(2 ** bin)}`];
  });
  return sent.length === 0 ? 'no times' : sent.join(', ');
}
