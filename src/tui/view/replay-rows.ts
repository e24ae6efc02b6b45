import type { Difference } from '../../analysis/diff/compare-answers.ts';
import { compact } from '../../json/layout.ts';
import { numberText } from '../../model/message-number.ts';
import { cutStart } from '../../present/columns.ts';
import type { CommandRow } from '../../present/command-rows.ts';
import { formatDuration, wholeSeconds } from '../../present/figures.ts';
import type { ReplayResult } from '../../replay/judge/replay-result.ts';
import type { ReplayView } from '../model/replay-view.ts';

import { type PaneFrame, paneRows } from './detail-rows.ts';
import { type StyledSpan, styledRow } from './styled-row.ts';

/** At most this many differences are shown, and this many characters of each value. */
const MAX_DIFFERENCES = 200;
const MAX_VALUE = 2000;

/** A replay: the question first, later how the response differs from the recorded one. */
export function replayRows(replay: ReplayView, frame: Omit<PaneFrame, 'hasFocus'>, nowMs: number): string[] {
  const { stage, pane } = replay;
  if (stage.kind === 'asking') return questionRows(replay, frame);
  const above = [...headOf(replay, nowMs), ...(stage.kind === 'done' ? differencesOf(stage.result) : [])];
  const text = stage.kind === 'done' ? (stage.result?.accepted ?? stage.result?.response ?? '') : '';
  const shown = { text, original: undefined, above: above.map((span) => [span]) };
  return paneRows(pane, stage.kind, shown, { ...frame, hasFocus: stage.kind === 'done' });
}

/** The question, with the keys that answer it always below. */
function questionRows(replay: ReplayView, { width, height, palette }: Omit<PaneFrame, 'hasFocus'>): string[] {
  const { pane } = replay;
  const shown = { text: '', original: undefined, above: questionLines(replay) };
  const room = Math.max(1, height - 1);
  const rows = paneRows(pane, 'asking', shown, { width, height: room, palette, hasFocus: !replay.isSeen });
  replay.noteSeen(pane.topFor(room), room, width);
  return [...rows, styledRow(answerKeys(replay, width), width, palette)].slice(-height);
}

function questionLines({ question, mustType }: ReplayView): StyledSpan[][] {
  const { heading, rows, notes, retype } = question;
  const labelWidth = Math.max(...rows.map(({ label }) => label.length));
  return [
    [{ text: heading, style: 'plain' }],
    ...notes.map((text): StyledSpan[] => [{ text, style: 'waiting' }]),
    ...rows.flatMap(({ label, lines }) =>
      lines.map((pieces, index): StyledSpan[] => [
        { text: ` ${(index === 0 ? label : '').padStart(labelWidth)}  `, style: 'dim' },
        ...pieces.map(({ text, isMark }): StyledSpan => ({ text, style: isMark ? 'waiting' : 'bold' })),
      ]),
    ),
    [EMPTY],
    ...(retype === undefined || !mustType ? [] : [[{ text: `${retype}, then press Enter.`, style: 'plain' } as const]]),
  ];
}

function answerKeys({ isSeen, mustType, typed }: ReplayView, width: number): StyledSpan[] {
  if (mustType) return [{ text: ` > ${cutStart(typed, Math.max(1, width - 5))}▏`, style: 'accent' }];
  if (!isSeen) return [{ text: ' ↓ More below: scroll to the end.', style: 'waiting' }];
  return [{ text: ' Press y to send it, Enter or Esc to cancel.', style: 'plain' }];
}

const EMPTY: StyledSpan = { text: '', style: 'plain' };

export function replayTitle({ call }: ReplayView): string {
  const { request, method, name } = call;
  const what = name === undefined ? method : `${method} ${JSON.stringify(name)}`;
  return `Replay ${numberText(request.sequence)} ${what}`;
}

function headOf({ stage, question }: ReplayView, nowMs: number): StyledSpan[] {
  switch (stage.kind) {
    case 'asking':
      return [];
    case 'running':
      return [
        { text: `… ${wholeSeconds(nowMs - stage.sinceMs)}`, style: 'waiting' },
        ...question.rows.map((row): StyledSpan => ({ text: `  ${textOf(row)}`, style: 'dim' })),
      ];
    case 'failed':
      return [{ text: `✕ ${stage.why}`, style: 'error' }];
    case 'done':
      return [verdictOf(stage.result), ...stage.notes.map((text): StyledSpan => ({ text, style: 'dim' })), EMPTY];
  }
}

function textOf({ lines }: CommandRow): string {
  return lines.map((pieces) => pieces.map(({ text }) => text).join('')).join('');
}

function verdictOf(result: ReplayResult | undefined): StyledSpan {
  if (result === undefined) return { text: '✕ Not sent.', style: 'error' };
  const { verdict, durationMs, error, differences } = result;
  const after = durationMs === undefined ? '' : ` after ${formatDuration(durationMs)}`;
  if (verdict === 'match') return { text: `match: the response is unchanged${after}`, style: 'ok' };
  if (verdict === 'changed') {
    const places = differences.length === 1 ? '1 value' : `${differences.length} values`;
    return { text: `! changed: ${places}${after}`, style: 'waiting' };
  }
  return { text: `✕ ${verdict}: ${error ?? 'nothing to compare'}`, style: 'error' };
}

function differencesOf(result: ReplayResult | undefined): StyledSpan[] {
  const differences = result?.differences ?? [];
  if (differences.length === 0) return [];
  const hidden = differences.length - MAX_DIFFERENCES;
  return [
    { text: 'recorded (-) and new response (+)', style: 'dim' },
    ...differences.slice(0, MAX_DIFFERENCES).flatMap(differenceLines),
    ...(hidden > 0 ? [{ text: `… and ${hidden} more`, style: 'dim' } as const] : []),
    { text: '', style: 'plain' },
  ];
}

function differenceLines({ path, recorded, replayed }: Difference): StyledSpan[] {
  return [
    { text: path === '$' ? 'the whole response' : path, style: 'key' },
    ...(recorded === undefined ? [] : [{ text: `- ${shortened(recorded)}`, style: 'error' } as const]),
    ...(replayed === undefined ? [] : [{ text: `+ ${shortened(replayed)}`, style: 'ok' } as const]),
  ];
}

function shortened(text: string): string {
  const whole = compact(text);
  return whole.length > MAX_VALUE ? `${whole.slice(0, MAX_VALUE)}…` : whole;
}
