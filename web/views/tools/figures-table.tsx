import type { JSX } from 'preact';
import type { CallFigures } from '../../../src/analysis/stats/tally.ts';
import { formatDuration, formatSize } from '../../../src/present/figures.ts';
import { visible } from '../../../src/present/visible-text.ts';
import type { DurationSpread } from '../../model/tools/tool-spread.ts';
import { formatCount } from '../../state/times.ts';
import { SpreadChart } from './spread-chart.tsx';

/** The call statistics of one name. */
export interface FiguresRow extends CallFigures {
  readonly id: string;
  readonly title: string;
  readonly prefix?: string | undefined;
  readonly note?: string | undefined;
  readonly definitionBytes?: number | undefined;
  /** The tool's fraction of the size of all definitions. */
  readonly share?: number | undefined;
  readonly spread: DurationSpread | undefined;
  open(): void;
}

interface FiguresTableProps {
  readonly caption: string;
  readonly rows: readonly FiguresRow[];
  readonly hasDefinitions: boolean;
}

/** A table of call statistics; a click on a name shows its calls. */
export function FiguresTable({ caption, rows, hasDefinitions }: FiguresTableProps): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
    <div class="figures-box" tabIndex={0}>
      <table class="figures">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            {['Calls', 'Errors', 'Mean', 'P50', 'P95', 'P99'].map((title) => (
              <th key={title} scope="col" class="number">
                {title}
              </th>
            ))}
            <th scope="col">Spread</th>
            <th scope="col" class="number">
              Sent
            </th>
            <th scope="col" class="number">
              Received
            </th>
            {hasDefinitions && (
              <th
                scope="col"
                class="number"
                title="Size of its definition in tools/list, which the model's context contains"
              >
                Definition
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <FiguresLine key={row.id} row={row} hasDefinitions={hasDefinitions} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function FiguresLine({
  row,
  hasDefinitions,
}: {
  readonly row: FiguresRow;
  readonly hasDefinitions: boolean;
}): JSX.Element {
  const { title, prefix, note, calls, byStatus, spread, sentBytes, receivedBytes, definitionBytes, share, exact } = row;
  return (
    <tr class={calls === 0 ? 'unused' : ''}>
      <th scope="row">
        {prefix !== undefined && <span class="hint">{prefix} </span>}
        {calls === 0 ? (
          visible(title)
        ) : (
          <button type="button" class="link" onClick={row.open} title="Show its calls">
            {visible(title)}
          </button>
        )}
        {note !== undefined && <span class={`note${note === 'not listed' ? ' status-pending' : ''}`}> {note}</span>}
      </th>
      <td class="number">{formatCount(calls)}</td>
      <td class={`number${byStatus.error > 0 ? ' status-error' : ''}`}>
        {byStatus.error > 0 ? `✕ ${formatCount(byStatus.error)}` : calls === 0 ? '' : '0'}
      </td>
      <Time ms={spread?.meanMs} />
      <Time ms={row.p50Ms} isRough={!exact} />
      <Time ms={row.p95Ms} isRough={!exact} />
      <Time ms={row.p99Ms} isRough={!exact} />
      <td>{spread !== undefined && <SpreadChart spread={spread} />}</td>
      <td class="number">{calls === 0 ? '' : formatSize(sentBytes)}</td>
      <td class="number">{calls === 0 ? '' : formatSize(receivedBytes)}</td>
      {hasDefinitions && (
        <td class="number">
          {definitionBytes !== undefined && formatSize(definitionBytes)}
          {share !== undefined && <span class="share"> {Math.round(share * 100)} %</span>}
        </td>
      )}
    </tr>
  );
}

/** A duration in few digits; the tooltip has five. */
function Time({ ms, isRough = false }: { readonly ms: number | undefined; readonly isRough?: boolean }): JSX.Element {
  if (ms === undefined) return <td class="number" />;
  return (
    <td class="number" title={`${Number(ms.toPrecision(5))} ms`}>
      {isRough && '~'}
      {formatDuration(ms)}
    </td>
  );
}
