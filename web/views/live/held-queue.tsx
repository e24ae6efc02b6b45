import type { JSX } from 'preact';
import { ARROWS } from '../../../src/present/glyphs.ts';
import { visible } from '../../../src/present/visible-text.ts';
import { laneClass } from '../../state/lane-colours.ts';
import { usePage } from '../../state/page.ts';
import { HeldGlyph } from './held-glyph.tsx';
import { heldClock, heldPart, heldWords } from './held-words.ts';
import type { LiveController, WaitingDecision } from './live-controller.ts';

interface HeldQueueProps {
  readonly controller: LiveController;
  readonly nowMs: number;
}

/** The messages that wait for a decision, longest wait first. */
export function HeldQueue({ controller, nowMs }: HeldQueueProps): JSX.Element {
  const waiting = controller.waiting.value;
  return (
    <section class="live-queue" aria-label="Held messages">
      <div class="live-queue-head">
        <h2>{waiting.length} held</h2>
        <span class="header-space" />
        {waiting.length > 0 && (
          <button type="button" class="button" onClick={() => controller.forwardAll()}>
            Forward all
          </button>
        )}
      </div>
      <ul>
        {waiting.map((one) => (
          <HeldRow key={one.held.id} controller={controller} waiting={one} nowMs={nowMs} />
        ))}
      </ul>
    </section>
  );
}

function HeldRow({ controller, waiting, nowMs }: HeldQueueProps & { readonly waiting: WaitingDecision }): JSX.Element {
  const { held, session } = waiting;
  const lane = usePage().timeline.value.lanes.find(({ served }) => served === session.id);
  const { name, brief } = heldWords(held);
  const thereMs = nowMs + session.aheadMs;
  const clock = heldClock(held, thereMs);
  const isChosen = controller.chosen.value?.held.id === held.id;
  return (
    <li class={laneClass(lane?.index ?? 0)}>
      <button
        type="button"
        class={`held${isChosen ? ' selected' : ''}`}
        aria-current={isChosen}
        onClick={() => controller.choose(held.id)}
      >
        <span class="held-lane" />
        <span aria-hidden="true">
          <HeldGlyph /> {ARROWS[held.direction]}
        </span>
        <span class="held-name">
          {visible(name)} <span class="live-dim">{visible(brief)}</span>
        </span>
        <span class="held-clock">
          {clock.held} · {clock.left}
        </span>
        <span class="held-time" aria-hidden="true">
          <span class="held-over" style={{ width: `${heldPart(held, thereMs) * 100}%` }} />
        </span>
      </button>
    </li>
  );
}
