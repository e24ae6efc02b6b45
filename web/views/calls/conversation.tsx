import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { formatDuration } from '../../../src/present/figures.ts';
import { STATUS_GLYPHS } from '../../../src/present/glyphs.ts';
import { visible } from '../../../src/present/visible-text.ts';
import type { ModelTurn, TurnCall } from '../../model/calls/call-turns.ts';
import { useAnswer } from '../../state/answer.ts';
import { laneClass } from '../../state/lane-colours.ts';
import { usePage } from '../../state/page.ts';
import { formatCount, formatTime } from '../../state/times.ts';

/** The number of turns shown at once. */
const PAGE = 200;

/** The turns of users and models with the calls between them, if the recording has turns. */
export function Conversation(): JSX.Element | null {
  const page = usePage();
  const [max, setMost] = useState(PAGE);
  const { version } = page.shown.value;
  const items = useAnswer(() => page.engine.conversation(), [version, page.timeline.value.version]);
  if (items === undefined || items.length === 0) return null;
  return (
    <section class="turns" aria-label="Conversation">
      <ol>
        {items.slice(0, max).map((item) => (
          <li key={item.key}>{item.kind === 'turn' ? <TurnItem turn={item} /> : <CallChip call={item} />}</li>
        ))}
      </ol>
      {items.length > max && (
        <button type="button" class="button" onClick={() => setMost(max + PAGE)}>
          Show more of {formatCount(items.length)}
        </button>
      )}
    </section>
  );
}

function TurnItem({ turn }: { readonly turn: ModelTurn }): JSX.Element {
  const page = usePage();
  const { role, model, text, isCut, parts, atMs, key } = turn;
  const startMs = page.timeline.value.span?.fromMs ?? 0;
  return (
    <div class={`turn turn-${role === 'user' ? 'user' : 'other'}`}>
      <button type="button" class="turn-head" onClick={() => page.select(key)}>
        <strong>{visible(role)}</strong>
        {model !== undefined && <span class="turn-model">{visible(model)}</span>}
        <span class="turn-time">{formatTime(atMs, page.place.value.times, startMs, startMs)}</span>
      </button>
      {text !== '' && (
        <p class="turn-text">
          {visible(text)}
          {isCut && ' …'}
        </p>
      )}
      {parts.length > 0 && <p class="turn-parts">{visible(parts.join(' · '))}</p>}
      {text === '' && parts.length === 0 && <p class="turn-parts">no text</p>}
    </div>
  );
}

function CallChip({ call }: { readonly call: TurnCall }): JSX.Element {
  const page = usePage();
  const { key, lane, name, status, durationMs } = call;
  return (
    <button
      type="button"
      class={`turn-call ${laneClass(lane)}`}
      aria-current={page.place.value.selected === key}
      onClick={() => page.select(key)}
    >
      <span class={`status-${status}`}>{STATUS_GLYPHS[status]}</span> {visible(name)}
      <span class="turn-time">{durationMs === undefined ? status : formatDuration(durationMs)}</span>
    </button>
  );
}
