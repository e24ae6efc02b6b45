import type { Difference } from '../../analysis/diff/compare-answers.ts';
import { compact } from '../../json/layout.ts';
import { formatDuration, wholeSeconds } from '../../present/figures.ts';
import type { ReplayResult } from '../../replay/judge/replay-result.ts';
import type { ReplayView } from '../model/replay-view.ts';
import { type PaneFrame, paneRows } from './detail-rows.ts';
import type { StyledSpan } from './styled-row.ts';

/** At most this many differences are shown, and this many characters of each value. */
const MAX_DIFFERENCES = 200;
const MAX_VALUE = 2000;

/** A replay: the request and its target first, later how the response differs from the recorded one. */
export function replayRows(replay: ReplayView, frame: Omit<PaneFrame, 'hasFocus'>, nowMs: number): string[] {
  const { stage, pane } = replay;
  // Shown in full, because the user must see the whole command before confirming it.
  const above = [...headOf(replay, nowMs), ...(stage.kind === 'done' ? differencesOf(stage.result) : [])];
  const text = stage.kind === 'done' ? (stage.result?.accepted ?? stage.result?.response ?? '') : '';
  return paneRows(
    pane,
    stage.kind,
    { text, original: undefined, above },
    { ...frame, hasFocus: stage.kind === 'done' },
  );
}

export function replayTitle({ call }: ReplayView): string {
  const { request, method, name } = call;
  return `replay #${String(request.sequence).padStart(4, '0')} ${name ?? method}`;
}

function headOf(replay: ReplayView, nowMs: number): StyledSpan[] {
  const { stage, where, call } = replay;
  const empty: StyledSpan = { text: '', style: 'plain' };
  switch (stage.kind) {
    case 'asking':
      return [
        { text: 'Send it again, on a connection of its own, to', style: 'plain' },
        ...where.map((text): StyledSpan => ({ text: `  ${text}`, style: 'bold' })),
        empty,
        ...(call.method === 'tools/call'
          ? [{ text: 'What the tool does, it does again.', style: 'plain' } as const, empty]
          : []),
        { text: 'y or Enter sends it, Esc does not.', style: 'plain' },
      ];
    case 'running':
      return [
        { text: `… ${wholeSeconds(nowMs - stage.sinceMs)}`, style: 'waiting' },
        ...where.map((text): StyledSpan => ({ text: `  ${text}`, style: 'dim' })),
      ];
    case 'failed':
      return [{ text: `✕ ${stage.why}`, style: 'error' }];
    case 'done':
      return [verdictOf(stage.result), ...stage.notes.map((text): StyledSpan => ({ text, style: 'dim' })), empty];
  }
}

function verdictOf(result: ReplayResult | undefined): StyledSpan {
  if (result === undefined) return { text: '✕ It was not sent.', style: 'error' };
  const { verdict, durationMs, error, differences } = result;
  const after = durationMs === undefined ? '' : ` after ${formatDuration(durationMs)}`;
  if (verdict === 'match') return { text: `match: the answer is what it was${after}`, style: 'ok' };
  if (verdict === 'changed') {
    const places = differences.length === 1 ? 'one place' : `${differences.length} places`;
    return { text: `! changed in ${places}${after}`, style: 'waiting' };
  }
  return { text: `✕ ${verdict}: ${error ?? 'there is nothing to compare'}`, style: 'error' };
}

function differencesOf(result: ReplayResult | undefined): StyledSpan[] {
  const differences = result?.differences ?? [];
  if (differences.length === 0) return [];
  const hidden = differences.length - MAX_DIFFERENCES;
  return [
    { text: 'what was recorded (-) and what came now (+)', style: 'dim' },
    ...differences.slice(0, MAX_DIFFERENCES).flatMap(differenceLines),
    ...(hidden > 0 ? [{ text: `… and ${hidden} more`, style: 'dim' } as const] : []),
    { text: '', style: 'plain' },
  ];
}

function differenceLines({ path, recorded, replayed }: Difference): StyledSpan[] {
  return [
    { text: path === '$' ? 'the whole answer' : path, style: 'key' },
    ...(recorded === undefined ? [] : [{ text: `- ${shortened(recorded)}`, style: 'error' } as const]),
    ...(replayed === undefined ? [] : [{ text: `+ ${shortened(replayed)}`, style: 'ok' } as const]),
  ];
}

function shortened(text: string): string {
  const whole = compact(text);
  return whole.length > MAX_VALUE ? `${whole.slice(0, MAX_VALUE)}…` : whole;
}
