import type { JSX } from 'preact';
import type { Row } from '../../engine/row-facts.ts';
import type { TimeAxis } from '../../state/time-axis.ts';

/** When a call ran and how long, on the axis that all calls share; hatched while a person was asked. */
export function CallBar({ row, axis }: { readonly row: Row; readonly axis: TimeAxis }): JSX.Element {
  const { atMs, durationMs = 0, humanMs, progressMs, status } = row;
  const from = axis.at(atMs);
  const width = axis.at(atMs + durationMs) - from;
  const share = durationMs > 0 ? Math.min(1, humanMs / durationMs) : 0;
  const tickAt = (ms: number): number => (durationMs > 0 ? Math.min(1, Math.max(0, (ms - atMs) / durationMs)) : 0);
  return (
    <span
      class={`bar ${status ?? ''}`}
      style={{
        left: `min(calc(100% - 8px), ${from * 100}%)`,
        width: `max(${status === 'pending' ? 8 : 4}px, ${width * 100}%)`,
      }}
    >
      {share > 0 && <span class="bar-human" style={{ width: `${share * 100}%` }} />}
      {progressMs.map((ms) => (
        <span key={ms} class="bar-tick" style={{ left: `${tickAt(ms) * 100}%` }} />
      ))}
    </span>
  );
}
