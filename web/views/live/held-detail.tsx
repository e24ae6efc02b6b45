import type { JSX } from 'preact';
import { pretty } from '../../../src/json/layout.ts';
import { ARROWS, DIRECTION_WORDS } from '../../../src/present/glyphs.ts';
import { visible } from '../../../src/present/visible-text.ts';
import { draftAnswer } from '../../../src/protocol/written-message.ts';
import { AnswerEditor } from './answer-editor.tsx';
import { heldClock, heldWords } from './held-words.ts';
import type { LiveController, WaitingDecision } from './live-controller.ts';
import { MessageEditor } from './message-editor.tsx';
import { TextDiff } from './text-diff.tsx';

interface HeldDetailProps {
  readonly controller: LiveController;
  readonly waiting: WaitingDecision;
  readonly nowMs: number;
}

/** A held message and the actions on it. */
export function HeldDetail({ controller, waiting, nowMs }: HeldDetailProps): JSX.Element {
  const { held, session } = waiting;
  const writing = controller.writing.value?.id === held.id ? controller.writing.value.what : undefined;
  const clock = heldClock(held, nowMs + session.aheadMs);
  return (
    <article class="live-detail" aria-label="Held message">
      <h2>{visible(heldWords(held).name)}</h2>
      <p class="live-dim">
        {ARROWS[held.direction]} {DIRECTION_WORDS[held.direction]} · {visible(session.label)} · {clock.held} ·{' '}
        {clock.left}
        {held.rule !== undefined && ` · by the rule ${visible(held.rule)}`}
      </p>
      <p class="live-actions">
        <button type="button" class="button" onClick={() => void controller.decide(waiting, { action: 'forward' })}>
          Forward
        </button>
        <button type="button" class="button" aria-pressed={writing === 'edit'} onClick={() => controller.write('edit')}>
          Edit
        </button>
        {draftAnswer(held.text) !== undefined && (
          <button
            type="button"
            class="button"
            aria-pressed={writing === 'answer'}
            onClick={() => controller.write('answer')}
          >
            Answer
          </button>
        )}
        <button type="button" class="button" onClick={() => void controller.decide(waiting, { action: 'drop' })}>
          Drop
        </button>
      </p>
      {writing === 'edit' && <MessageEditor controller={controller} waiting={waiting} />}
      {writing === 'answer' && <AnswerEditor controller={controller} waiting={waiting} />}
      {writing !== 'edit' && <HeldText text={held.text} changedText={held.changedText} />}
    </article>
  );
}

function HeldText({
  text,
  changedText,
}: {
  readonly text: string;
  readonly changedText: string | undefined;
}): JSX.Element {
  return (
    <>
      {changedText !== undefined && (
        <>
          <p class="live-dim">Changed by rules: original (-) and message to send (+).</p>
          <TextDiff before={pretty(text)} after={pretty(changedText)} />
        </>
      )}
      <pre class="live-text">{visible(pretty(changedText ?? text))}</pre>
      <p class="live-dim">Unredacted here so you can edit it; the recording is redacted.</p>
    </>
  );
}
