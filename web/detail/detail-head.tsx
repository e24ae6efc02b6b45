import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { utf8Length } from '../../src/json/utf8-length.ts';
import { exactText } from '../../src/model/entry.ts';
import { numberText } from '../../src/model/message-number.ts';
import { formatDuration, formatSize } from '../../src/present/figures.ts';
import { visible } from '../../src/present/visible-text.ts';
import type { EntryDetail } from '../model/entry-detail.ts';
import { laneClass } from '../state/lane-colours.ts';
import { usePage } from '../state/page.ts';
import { titleOf } from './copy-forms.ts';
import { DETAIL_ACTIONS } from './detail-actions.ts';
import { markWords, statusOf } from './status-words.ts';

/** The head of an entry's details: its title, outcome, duration and actions. */
export function DetailHead({ detail }: { readonly detail: EntryDetail }): JSX.Element {
  const page = usePage();
  const { row, session } = detail;
  const [method, name] = titleOf(detail);
  const about = [
    ...(row.sequence === undefined ? [] : [numberText(row.sequence)]),
    ...(row.id === undefined ? [] : [`id ${row.id}`]),
    session.label,
  ];
  return (
    <header class="detail-head">
      <div class="detail-title">
        <button type="button" class="icon detail-back" aria-label="Back to the list" onClick={() => close(page)}>
          ‹
        </button>
        <h2>
          {visible(method ?? '')} {name !== undefined && <span class="detail-name">{visible(name)}</span>}
        </h2>
        <span class={`detail-about ${laneClass(detail.lane)}`}>
          <span class="lane-dot" aria-hidden="true" />
          {visible(about.join(' · '))}
        </span>
        <button type="button" class="icon detail-close" aria-label="Close details" onClick={() => close(page)}>
          ×
        </button>
      </div>
      <div class="detail-summary">
        <Facts detail={detail} />
        <div class="detail-actions">
          {DETAIL_ACTIONS.map(({ id, component: Action }) => (
            <Action key={`${id} ${detail.key}`} detail={detail} />
          ))}
        </div>
      </div>
    </header>
  );
}

function Facts({ detail }: { readonly detail: EntryDetail }): JSX.Element {
  const { entry, request, answer, outcome, session } = detail;
  const status = statusOf(detail);
  const [out, back] = useMemo(
    () => [request && utf8Length(request.entry.text), answer && utf8Length(answer.entry.text)],
    [request?.entry.text, answer?.entry.text],
  );
  const own = useMemo(() => utf8Length(exactText(entry)), [entry]);
  return (
    <dl class="detail-facts">
      {status !== undefined && (
        <Fact name="status" tone={status.tone}>
          {status.glyph} {visible(status.words)}
        </Fact>
      )}
      {outcome?.durationMs !== undefined && session.hasTimes && (
        <Fact name="duration">{formatDuration(outcome.durationMs)}</Fact>
      )}
      {outcome !== undefined && outcome.humanMs > 0 && (
        <Fact name="waiting for the user">{formatDuration(outcome.humanMs)}</Fact>
      )}
      {out !== undefined && <Fact name="request">{formatSize(out)}</Fact>}
      {back !== undefined && <Fact name="response">{formatSize(back)}</Fact>}
      {request === undefined && answer === undefined && <Fact name="size">{formatSize(own)}</Fact>}
      {markWords(detail).map((mark) => (
        <Fact key={mark} name="" tone={mark.includes('dropped') ? 'error' : 'waiting'}>
          {mark}
        </Fact>
      ))}
    </dl>
  );
}

interface FactProps {
  readonly name: string;
  readonly tone?: string;
  readonly children: JSX.Element | string | (string | JSX.Element)[];
}

function Fact({ name, tone, children }: FactProps): JSX.Element {
  return (
    <div>
      <dt>{name === '' ? <span class="unseen">mark</span> : name}</dt>
      <dd class={tone === undefined ? undefined : `tone-${tone}`}>{children}</dd>
    </div>
  );
}

function close(page: ReturnType<typeof usePage>): void {
  page.go({ selected: undefined });
}
