import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { pretty } from '../../../src/json/layout.ts';
import { formatDuration } from '../../../src/present/figures.ts';
import { cutText } from '../../../src/present/text-head.ts';
import { visible } from '../../../src/present/visible-text.ts';
import type { ServedReplay, ServedReplayOutcome } from '../../sources/served-replay.ts';
import { usePage } from '../../state/page.ts';
import { canSend, ReplayQuestionView, UNANSWERED } from './replay-question.tsx';

const MAX_DIFFERENCES = 200;
/** A recording chooses the name of the tool, which must not push the command off the screen. */
const MAX_TITLE = 80;

/** A dialog for replaying a call: the request and its target, then how the response differs from the recorded one. */
export function ReplayDialog(): JSX.Element | null {
  const replay = usePage().served.value?.replay;
  return replay === undefined ? null : <Dialog replay={replay} />;
}

function Dialog({ replay }: { readonly replay: Signal<ServedReplay | undefined> }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  const state = replay.value;
  const stage = state?.stage;
  const [answer, setAnswer] = useState(UNANSWERED);
  useEffect(() => {
    if (stage === undefined) {
      dialog.current?.close();
      return;
    }
    setAnswer(UNANSWERED);
    if (dialog.current?.open === false) dialog.current.showModal();
    // Enter must not send what no one has read.
    cancel.current?.focus({ preventScroll: true });
    dialog.current?.scrollTo(0, 0);
  }, [stage]);
  const close = (): void => {
    if (replay.value?.stage === 'running') replay.value.cancel();
    replay.value = undefined;
  };
  return (
    <dialog ref={dialog} class="replay" aria-labelledby="replay-title" onClose={close}>
      <h2 id="replay-title">
        Replay{' '}
        {state !== undefined && 'plan' in state && visible(cutText(state.plan.name ?? state.plan.method, MAX_TITLE))}
      </h2>
      {state?.stage === 'asking' && (
        <ReplayQuestionView question={state.plan.question} answer={answer} onAnswer={setAnswer} />
      )}
      {state !== undefined && state.stage !== 'asking' && <Stage replay={state} />}
      <p class="live-actions">
        <button ref={cancel} type="button" class="button" onClick={close}>
          {stage === 'asking' || stage === 'running' ? 'Cancel' : 'Close'}
        </button>
        {state?.stage === 'asking' && (
          <button
            type="button"
            class="button"
            disabled={!canSend(state.plan.question, answer)}
            onClick={() => state.run(answer.typed)}
          >
            Replay
          </button>
        )}
      </p>
    </dialog>
  );
}

function Stage({ replay }: { readonly replay: Exclude<ServedReplay, { stage: 'asking' }> }): JSX.Element {
  switch (replay.stage) {
    case 'running':
      return <p role="status">… waiting for the response</p>;
    case 'failed':
      return (
        <p class="live-fault" role="alert">
          ✕ {visible(replay.why)}
        </p>
      );
    case 'done':
      return <Outcome outcome={replay.outcome} />;
  }
}

function Outcome({ outcome }: { readonly outcome: ServedReplayOutcome }): JSX.Element {
  const { verdict, durationMs, error, differences, response, notes } = outcome;
  const after = durationMs === undefined ? '' : ` after ${formatDuration(durationMs)}`;
  const places = differences.length === 1 ? '1 value' : `${differences.length} values`;
  return (
    <>
      <p class={`replay-verdict replay-${verdict}`} role="status">
        {verdict === 'match' && `✓ match: the response is unchanged${after}`}
        {verdict === 'changed' && `! changed: ${places}${after}`}
        {verdict !== 'match' && verdict !== 'changed' && `✕ ${verdict}: ${visible(error ?? 'nothing to compare')}`}
      </p>
      {notes.map((note) => (
        <p key={note} class="live-dim">
          {visible(note)}
        </p>
      ))}
      {differences.length > 0 && (
        <ul class="replay-differences" aria-label="Differences">
          {differences.slice(0, MAX_DIFFERENCES).map(({ path, recorded, replayed }) => (
            <li key={path}>
              <code>{path === '$' ? 'the whole response' : visible(path)}</code>
              {recorded !== undefined && <pre class="diff-minus">- {visible(recorded)}</pre>}
              {replayed !== undefined && <pre class="diff-plus">+ {visible(replayed)}</pre>}
            </li>
          ))}
        </ul>
      )}
      {response !== undefined && <pre class="live-text">{visible(pretty(response))}</pre>}
    </>
  );
}
