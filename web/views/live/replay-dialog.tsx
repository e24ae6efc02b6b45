import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { pretty } from '../../../src/json/layout.ts';
import { formatDuration } from '../../../src/present/figures.ts';
import { visible } from '../../../src/present/visible-text.ts';
import type { ServedReplay, ServedReplayOutcome, ServedReplayPlan } from '../../sources/served-replay.ts';
import { usePage } from '../../state/page.ts';

const MAX_DIFFERENCES = 200;

/** A dialog for replaying a call: the request and its target, then how the response differs from the recorded one. */
export function ReplayDialog(): JSX.Element | null {
  const replay = usePage().served.value?.replay;
  return replay === undefined ? null : <Dialog replay={replay} />;
}

function Dialog({ replay }: { readonly replay: Signal<ServedReplay | undefined> }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const state = replay.value;
  const isOpen = state !== undefined;
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  const close = (): void => {
    if (replay.value?.stage === 'running') replay.value.cancel();
    replay.value = undefined;
  };
  return (
    <dialog ref={dialog} class="replay" aria-labelledby="replay-title" onClose={close}>
      <h2 id="replay-title">
        Replay {state !== undefined && 'plan' in state && visible(state.plan.name ?? state.plan.method)}
      </h2>
      {state !== undefined && <Stage replay={state} />}
      <p class="live-actions">
        {state?.stage === 'asking' && (
          <button type="button" class="button button-main" onClick={() => state.run()}>
            Send it
          </button>
        )}
        <button type="button" class="button" onClick={close}>
          {state?.stage === 'asking' || state?.stage === 'running' ? 'Cancel' : 'Close'}
        </button>
      </p>
    </dialog>
  );
}

function Stage({ replay }: { readonly replay: ServedReplay }): JSX.Element {
  switch (replay.stage) {
    case 'asking':
      return <Question plan={replay.plan} />;
    case 'running':
      return <p role="status">… waiting for the answer</p>;
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

function Question({ plan: { method, where } }: { readonly plan: ServedReplayPlan }): JSX.Element {
  return (
    <>
      <p>Send it again, on a connection of its own, to</p>
      <pre class="live-text">{where.map(visible).join('\n')}</pre>
      {method === 'tools/call' && <p>What the tool does, it does again.</p>}
    </>
  );
}

function Outcome({ outcome }: { readonly outcome: ServedReplayOutcome }): JSX.Element {
  const { verdict, durationMs, error, differences, response, notes } = outcome;
  const after = durationMs === undefined ? '' : ` after ${formatDuration(durationMs)}`;
  const places = differences.length === 1 ? 'one place' : `${differences.length} places`;
  return (
    <>
      <p class={`replay-verdict replay-${verdict}`} role="status">
        {verdict === 'match' && `✓ match: the answer is what it was${after}`}
        {verdict === 'changed' && `! changed in ${places}${after}`}
        {verdict !== 'match' &&
          verdict !== 'changed' &&
          `✕ ${verdict}: ${visible(error ?? 'there is nothing to compare')}`}
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
              <code>{path === '$' ? 'the whole answer' : visible(path)}</code>
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
