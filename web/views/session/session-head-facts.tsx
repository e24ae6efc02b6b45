import type { JSX } from 'preact';
import type { SessionFooter } from '../../../src/model/session.ts';
import { formatDuration } from '../../../src/present/figures.ts';
import { visible } from '../../../src/present/visible-text.ts';
import type { SessionSummary } from '../../model/session/session-facts.ts';
import { JsonTree } from '../../parts/json-tree/json-tree.tsx';
import { laneClass } from '../../state/lane-colours.ts';
import { usePage } from '../../state/page.ts';
import { counted, formatCount } from '../../state/times.ts';
import { FactList, Part } from './fact-list.tsx';

/** The header of a session and how it ended. */
export function SessionHeadFacts({
  facts,
  lane,
}: {
  readonly facts: SessionSummary;
  readonly lane: number;
}): JSX.Element {
  const page = usePage();
  const {
    header,
    footer,
    file,
    format,
    state,
    fault,
    messages,
    source: reported,
    stderrLines,
    noiseLines,
    actions,
  } = facts;
  const hasTimes = page.timeline.value.lanes[lane]?.hasTimes !== false;
  const title = (
    <span class={laneClass(lane)}>
      <span class="lane-dot" />
      {visible(header.label)}
    </span>
  );
  return (
    <Part title="Session" aside={title}>
      <FactList
        facts={[
          ['Id', <code key="id">{visible(header.id)}</code>],
          ['File', file === undefined ? undefined : <code key="file">{visible(file)}</code>],
          ['Format', format],
          ['Transport', visible(header.transport)],
          [
            'Command',
            header.command.length === 0 ? undefined : <code key="c">{visible(header.command.join(' '))}</code>,
          ],
          ['URL', header.url === undefined ? undefined : <code key="url">{visible(header.url)}</code>],
          ['Started', hasTimes && header.startedAtMs > 0 ? dateText(header.startedAtMs) : undefined],
          ['Ended', footer === undefined ? unended(state, format) : hasTimes ? dateText(footer.endedAtMs) : undefined],
          ['Exit', footer && exitText(footer)],
          ['Duration', footer?.durationMs === undefined ? undefined : formatDuration(footer.durationMs)],
          ['Messages', formatCount(messages)],
          ['Stderr', stderrLines === 0 ? undefined : link(stderrLines, () => narrow('kind:stderr'))],
          ['Stray output', noiseLines === 0 ? undefined : link(noiseLines, () => narrow('kind:stray'))],
          ['Actions', actionsText(actions)],
          [
            'Not read',
            fault === undefined ? undefined : (
              <span key="f" class="status-error">
                ✕ {visible(fault)}
              </span>
            ),
          ],
        ]}
      />
      {header.metadata.trim() !== '{}' && <Tree title="Metadata" text={header.metadata} />}
      {reported !== undefined && <Tree title="Other metadata" text={reported} />}
    </Part>
  );

  function narrow(filter: string): void {
    page.go({ view: 'timeline', filter, range: undefined, selected: undefined });
  }
}

function Tree({ title, text }: { readonly title: string; readonly text: string }): JSX.Element {
  return (
    <>
      <h3 class="small-title">{title}</h3>
      <JsonTree text={text} label={title} />
    </>
  );
}

function link(count: number, open: () => void): JSX.Element {
  return (
    <button type="button" class="link" onClick={open}>
      {counted(count, 'line')}
    </button>
  );
}

function dateText(atMs: number): string {
  const date = new Date(atMs);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().replace('T', ' ');
}

function unended(state: SessionSummary['state'], format: string): string | undefined {
  if (state === 'live') return 'still running';
  if (state === 'reading') return undefined;
  return format === 'trace' || format === 'json' ? 'unknown: cut short, or still running' : undefined;
}

function exitText({ exitCode, signal, reason }: SessionFooter): string {
  const parts = [exitCode === undefined ? '' : `status ${exitCode}`, signal ?? '', reason ?? ''];
  return visible(parts.filter((part) => part !== '').join(', '));
}

function actionsText(actions: SessionSummary['actions']): string {
  return visible(
    Object.entries(actions)
      .map(([action, count]) => `${action} ${count}×`)
      .join(', '),
  );
}
