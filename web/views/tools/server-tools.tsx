import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { formatSize } from '../../../src/present/figures.ts';
import { ARROWS } from '../../../src/present/glyphs.ts';
import { visible } from '../../../src/present/visible-text.ts';
import { spreadOfMethod, spreadOfTool, type ToolFigures } from '../../model/tools/tool-figures.ts';
import { laneClass } from '../../state/lane-colours.ts';
import { usePage } from '../../state/page.ts';
import { counted, formatCount } from '../../state/times.ts';
import { type FiguresRow, FiguresTable } from './figures-table.tsx';
import { nameFilter } from './name-filter.ts';

/** The maximum number of rows; users do not read a longer list as a whole. */
const MAX_ROWS = 300;

/** One server: its tools, its methods and anomalies. */
export function ServerTools({
  figures,
  isOnly,
}: {
  readonly figures: ToolFigures;
  readonly isOnly: boolean;
}): JSX.Element {
  const page = usePage();
  const [isWhole, setIsWhole] = useState(false);
  const { lane, label, stats, spreads } = figures;
  const server = isOnly ? '' : ` ${nameFilter('server', label)}`;
  const openCalls = (filter: string): void => page.go({ view: 'calls', filter: filter + server, range: undefined });
  const notAdvertised = new Set(stats.notAdvertised);
  const tools = stats.tools.map(
    (tool): FiguresRow => ({
      ...tool,
      id: tool.name,
      title: tool.name === '' ? '(no name)' : tool.name,
      note: tool.calls === 0 ? 'never called' : notAdvertised.has(tool.name) ? 'not listed' : undefined,
      share: tool.definitionBytes === undefined ? undefined : tool.definitionBytes / Math.max(1, stats.definitionBytes),
      spread: spreads[spreadOfTool(tool.name)],
      open: () => openCalls(nameFilter('tool', tool.name)),
    }),
  );
  const methods = stats.methods.map(
    (method): FiguresRow => ({
      ...method,
      id: `${method.direction} ${method.method}`,
      title: method.method,
      prefix: ARROWS[method.direction],
      spread: spreads[spreadOfMethod(method.direction, method.method)],
      open: () => openCalls(nameFilter('method', method.method)),
    }),
  );
  return (
    <section class={`server-tools ${laneClass(lane)}`} aria-label={`Server ${visible(label)}`}>
      <h2>
        <span class="lane-dot" />
        {visible(label)}
        <span class="hint">{summary(figures)}</span>
      </h2>
      {tools.length === 0 ? (
        <p class="hint">No tools listed or called.</p>
      ) : (
        <FiguresTable caption="Tools" rows={isWhole ? tools : tools.slice(0, MAX_ROWS)} hasDefinitions />
      )}
      {!isWhole && tools.length > MAX_ROWS && (
        <button type="button" class="button" onClick={() => setIsWhole(true)}>
          Show all {formatCount(tools.length)} tools
        </button>
      )}
      <Notes figures={figures} />
      {methods.length > 0 && <FiguresTable caption="Methods" rows={methods} hasDefinitions={false} />}
    </section>
  );
}

function summary({ stats }: ToolFigures): string {
  const { calls, byStatus } = stats.total;
  const listed = stats.tools.filter(({ definitionBytes }) => definitionBytes !== undefined).length;
  const parts = [
    counted(calls, 'call'),
    byStatus.error > 0 ? `${formatCount(byStatus.error)} failed` : '',
    byStatus.pending > 0 ? `${formatCount(byStatus.pending)} pending` : '',
    listed > 0 ? `${counted(listed, 'tool')} listed, ${formatSize(stats.definitionBytes)} of definitions` : '',
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

/** A longer list of names would not be read. */
const MAX_NAMED = 20;

function Notes({ figures: { stats } }: { readonly figures: ToolFigures }): JSX.Element | null {
  const { neverCalled, notAdvertised, tools } = stats;
  if (neverCalled.length + notAdvertised.length === 0) return null;
  const listed = tools.filter(({ definitionBytes }) => definitionBytes !== undefined).length;
  const spent = tools.filter(({ calls }) => calls === 0).reduce((sum, tool) => sum + (tool.definitionBytes ?? 0), 0);
  return (
    <ul class="tool-notes">
      {neverCalled.length > 0 && (
        <li>
          {formatCount(neverCalled.length)} of {counted(listed, 'listed tool')} never called: {formatSize(spent)} of
          unused definitions.
        </li>
      )}
      {notAdvertised.length > 0 && <li class="status-pending">! Called but not listed: {named(notAdvertised)}</li>}
    </ul>
  );
}

function named(names: readonly string[]): string {
  const more = names.length > MAX_NAMED ? ` and ${formatCount(names.length - MAX_NAMED)} more` : '';
  return visible(names.slice(0, MAX_NAMED).join(', ')) + more;
}
