import type { JSX } from 'preact';
import { formatDuration, formatSize } from '../../../src/present/figures.ts';
import { MARK_GLYPHS, MARK_WORDS, STATUS_GLYPHS } from '../../../src/present/glyphs.ts';
import { visible } from '../../../src/present/visible-text.ts';
import type { CallFacts } from '../../model/calls/call-facts.ts';
import type { CallGroup } from '../../model/calls/call-list.ts';
import { CallBar } from '../../parts/call-bar.tsx';
import { Cell, TableRow } from '../../parts/virtual-table.tsx';
import { laneClass } from '../../state/lane-colours.ts';
import type { TimeAxis } from '../../state/time-axis.ts';
import { counted, formatCount } from '../../state/times.ts';

interface CallItemProps {
  readonly call: CallFacts;
  readonly axis: TimeAxis;
  readonly server: string;
  readonly time: string;
  readonly isSelected: boolean;
  onSelect(): void;
}

/** One call: its status, name, time, duration and sizes. */
export function CallItem({ call, axis, server, time, isSelected, onSelect }: CallItemProps): JSX.Element {
  const { row, sentBytes, receivedBytes, progress, requests } = call;
  const status = row.status ?? 'pending';
  return (
    <TableRow class={`call ${laneClass(row.lane)}${isSelected ? ' selected' : ''}`} isSelected={isSelected}>
      <Cell class={`call-status status-${status}`}>
        {STATUS_GLYPHS[status]} <span class="call-word">{status}</span>
      </Cell>
      <Cell class="call-name">
        <button type="button" class="call-open" onClick={onSelect}>
          {row.direction === 'server_to_client' && <span title="requested by the server">◀ </span>}
          {visible(row.name)}
        </button>
        <span class="call-brief">
          {row.mark !== undefined && `${MARK_GLYPHS[row.mark]} ${MARK_WORDS[row.mark]} · `}
          {visible(row.brief)}
        </span>
      </Cell>
      <Cell class="call-server">{visible(server)}</Cell>
      <Cell class="call-start">{time}</Cell>
      <Cell class="call-axis">
        <CallBar row={row} axis={axis} />
      </Cell>
      <Cell class="call-duration">{row.durationMs === undefined ? '' : formatDuration(row.durationMs)}</Cell>
      <Cell class="call-human">{row.humanMs > 0 ? formatDuration(row.humanMs) : ''}</Cell>
      <Cell class="call-sent">{formatSize(sentBytes)}</Cell>
      <Cell class="call-received">{receivedBytes > 0 ? formatSize(receivedBytes) : ''}</Cell>
      <Cell class="call-progress">{progress > 0 ? `${formatCount(progress)}×` : ''}</Cell>
      <Cell class="call-requests">{requests > 0 ? `${formatCount(requests)}×` : ''}</Cell>
    </TableRow>
  );
}

/** The heading of a group, with totals of its calls. */
export function CallGroupItem({ group, onToggle }: { readonly group: CallGroup; onToggle(): void }): JSX.Element {
  const { title, lane, isClosed, figures } = group;
  const { calls, byStatus, p50Ms, p95Ms, humanMs, sentBytes, receivedBytes } = figures;
  return (
    <TableRow class={`call call-group ${laneClass(lane)}`}>
      <Cell class={`call-status${byStatus.error > 0 ? ' status-error' : ''}`}>
        {byStatus.error > 0 ? `✕ ${formatCount(byStatus.error)}` : ''}
      </Cell>
      <Cell class="call-name">
        <button type="button" class="call-open" aria-expanded={!isClosed} onClick={onToggle}>
          {isClosed ? '▸' : '▾'} {visible(title)}
        </button>
        <span class="call-brief">{counted(calls, 'call')}</span>
      </Cell>
      <Cell class="call-server" />
      <Cell class="call-start" />
      <Cell class="call-axis call-quantiles">
        {p50Ms !== undefined && `p50 ${formatDuration(p50Ms)}`}
        {p95Ms !== undefined && <span class="call-p95">· p95 {formatDuration(p95Ms)}</span>}
      </Cell>
      <Cell class="call-duration" />
      <Cell class="call-human">{humanMs > 0 ? formatDuration(humanMs) : ''}</Cell>
      <Cell class="call-sent">{formatSize(sentBytes)}</Cell>
      <Cell class="call-received">{formatSize(receivedBytes)}</Cell>
      <Cell class="call-progress" />
      <Cell class="call-requests" />
    </TableRow>
  );
}
