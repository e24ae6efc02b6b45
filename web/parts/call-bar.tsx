import type { JSX } from 'preact';
import type { RowFacts } from '../model/row-facts.ts';
import type { TimeAxis } from '../state/time-axis.ts';

/**
 * A bar on the shared time axis for one call: hatched while the call waited for a person, with a tick per progress
 * notification.
 */
export function CallBar({ row, axis }: { readonly row: RowFacts; readonly axis: TimeAxis }): JSX.Element {
  const { atMs, durationMs = 0, humanMs, progressMs, status } = row;
  const from = axis.at(atMs);
  const width = axis.at(atMs + durationMs) - from;
  const part = (ms: number): string => `${durationMs > 0 ? Math.min(1, Math.max(0, ms / durationMs)) * 100 : 0}%`;
  return (
    <span
      class={`bar ${status ?? ''}`}
      style={{ left: `min(${from * 100}%, 100% - 8px)`, width: `max(8px, ${width * 100}%)` }}
    >
      {humanMs > 0 && <span class="bar-human" style={{ width: part(humanMs) }} />}
      {[...new Set(progressMs)].map((ms) => (
        <span key={ms} class="bar-tick" style={{ left: part(ms - atMs) }} />
      ))}
    </span>
  );
}
