import type { Difference } from '../../../analysis/diff/compare-answers.ts';
import { numberText } from '../../../model/message-number.ts';
import { callTitle } from '../../../present/call-words.ts';
import { formatDuration } from '../../../present/figures.ts';
import { excerptsOf } from '../../../present/value-excerpt.ts';
import { oneLine } from '../../../present/visible-text.ts';
import type { ClientStep } from '../../../recorded/recorded-dialogue.ts';
import type { ReplayResult, ReplaySummary, ReplayVerdict } from '../../../replay/judge/replay-result.ts';
import type { StepAction } from '../../../replay/replay-plan.ts';
import { inColour, type TableStyle, type TextColor } from '../shared/text-style.ts';

/** At most this many differences are shown per message. */
const MAX_DIFFERENCES = 20;
const MAX_VALUE = 160;
/** The indentation of details, as in `inspect -v`. */
const INDENT = '       ';

const COLOURS: Readonly<Record<ReplayVerdict, TextColor | undefined>> = {
  match: undefined,
  sent: 'grey',
  skipped: 'grey',
  changed: 'yellow',
  missing: 'red',
  error: 'red',
  timeout: 'red',
};

/** The lines printed for a replayed message. */
export function resultLines(result: ReplayResult, style: TableStyle): string {
  const { step, verdict, error, durationMs, differences } = result;
  const time = durationMs === undefined || error !== undefined ? '' : ` ${formatDuration(Math.round(durationMs))}`;
  const why = error === undefined ? '' : `: ${oneLine(error)}`;
  const lines = [`${titleOf(step)} ${inColour(verdict, COLOURS[verdict], style)}${time}${why}`];
  for (const difference of differences.slice(0, MAX_DIFFERENCES)) lines.push(...differenceLines(difference));
  const hidden = differences.length - MAX_DIFFERENCES;
  if (hidden > 0) lines.push(`${INDENT}… and ${hidden} more`);
  return lines.join('\n');
}

/** The line printed for a message in a dry run. */
export function actionLine(step: ClientStep, action: Exclude<StepAction, { kind: 'leave' }>): string {
  switch (action.kind) {
    case 'send':
      return `${titleOf(step)} would be sent`;
    case 'skip':
      return `${titleOf(step)} would be skipped: ${action.reason}`;
    case 'refuse':
      return `${titleOf(step)} would not be sent: ${action.reason}`;
  }
}

export function resultsLine({ total, matched, changed, timedOut, failed, skipped }: ReplaySummary): string {
  const more = skipped === 0 ? '' : `, ${skipped} skipped`;
  return `Results: ${matched}/${total} matched, ${changed} changed, ${timedOut} timed out, ${failed} failed${more}`;
}

/** `#003 tools/call search` */
export function nameOf({ entry, method = '(no method)', name }: ClientStep): string {
  return `${numberText(entry.sequence)} ${oneLine(callTitle({ method, name }))}`;
}

/** A difference in one line, for reports. */
export function differenceText(difference: Difference): string {
  const [was, is] = excerptsOf(difference.recorded, difference.replayed, MAX_VALUE);
  return `${difference.path}: ${was ?? 'nothing'} → ${is ?? 'nothing'}`;
}

function titleOf(step: ClientStep): string {
  return `  ${nameOf(step).replace(' ', ' > ')}`;
}

function differenceLines({ path, recorded, replayed }: Difference): string[] {
  const [was, is] = excerptsOf(recorded, replayed, MAX_VALUE);
  return [
    `${INDENT}${path === '$' ? 'the whole response' : oneLine(path)}`,
    ...(was === undefined ? [] : [`${INDENT}  - ${was}`]),
    ...(is === undefined ? [] : [`${INDENT}  + ${is}`]),
  ];
}
