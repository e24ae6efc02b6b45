import type { JSX } from 'preact';
import { formatDuration, formatElapsed } from '../../../src/present/figures.ts';
import { visible } from '../../../src/present/visible-text.ts';
import type { EntryDetail } from '../../model/entry-detail.ts';
import { usePage } from '../../state/page.ts';
import { formatTime } from '../../state/times.ts';
import { type CallStep, stepsOf } from './call-steps.ts';

/** Shows the steps of a call on a time axis. */
export function TimingTab({ detail }: { readonly detail: EntryDetail }): JSX.Element {
  const { outcome, session, request } = detail;
  const steps = stepsOf(detail);
  if (!session.hasTimes || request === undefined) {
    return <p class="detail-none">The recording has no times.</p>;
  }
  const fromMs = request.entry.atMs;
  const toMs = Math.max(fromMs + 1, ...steps.map(({ atMs, forMs }) => atMs + forMs));
  return (
    <>
      <dl class="detail-facts">
        <div>
          <dt>began</dt>
          <dd>{formatTime(fromMs, 'absolute', 0, 0)}</dd>
        </div>
        {outcome?.durationMs !== undefined && (
          <div>
            <dt>duration</dt>
            <dd>{formatDuration(outcome.durationMs)}</dd>
          </div>
        )}
        {outcome !== undefined && outcome.humanMs > 0 && (
          <div>
            <dt>waiting for the user</dt>
            <dd>{formatDuration(outcome.humanMs)}</dd>
          </div>
        )}
        {outcome?.spanMs !== undefined && outcome.humanMs > 0 && (
          <div>
            <dt>from request to response</dt>
            <dd>{formatDuration(outcome.spanMs)}</dd>
          </div>
        )}
      </dl>
      <ol class="timing" aria-label="Timing of the call">
        {steps.map((step) => (
          <Step key={`${step.key} ${step.title}`} step={step} fromMs={fromMs} toMs={toMs} />
        ))}
      </ol>
    </>
  );
}

interface StepProps {
  readonly step: CallStep;
  readonly fromMs: number;
  readonly toMs: number;
}

function Step({ step, fromMs, toMs }: StepProps): JSX.Element {
  const page = usePage();
  const { title, words, atMs, forMs, kind } = step;
  const place = (ms: number): number => Math.min(100, Math.max(0, ((ms - fromMs) / (toMs - fromMs)) * 100));
  const left = place(atMs);
  return (
    <li>
      <button type="button" class="timing-row" onClick={() => page.go({ selected: step.key })}>
        <span class="related-time" title={formatTime(atMs, 'absolute', 0, 0)}>
          {formatElapsed(atMs - fromMs)} s
        </span>
        <span class="timing-title">
          {visible(title)} <span class="related-words">{visible(words)}</span>
        </span>
        <span class="timing-axis">
          <span
            class={`timing-bar timing-${kind}`}
            style={{ left: `min(${left}%, calc(100% - 3px))`, width: `max(3px, ${place(atMs + forMs) - left}%)` }}
          />
        </span>
        <span class="timing-for">{forMs > 0 ? formatDuration(forMs) : ''}</span>
      </button>
    </li>
  );
}
