import type { MessageEntry } from '../../model/entry.ts';
import { numberText } from '../../model/message-number.ts';
import { statusWords } from '../../present/call-words.ts';
import { formatElapsedShort } from '../../present/figures.ts';
import { ARROWS, MARK_GLYPHS, marksOf, STATUS_GLYPHS } from '../../present/glyphs.ts';
import { heldText } from '../../present/release-words.ts';
import { type RowWords, wordsOf } from '../../present/row-words.ts';
import type { RowOutcome } from '../../present/session-log/row-outcome.ts';
import { cutText } from '../../present/text-head.ts';
import type { ListRow } from '../model/message-list.ts';
import type { SessionView } from '../model/session-view.ts';
import type { HeldRow } from '../session/held-messages.ts';
import { type Palette, type Style, type StyledSpan, styledRow } from './styled-row.ts';

/** Below these widths there is no room for the time or the id. */
const ROOM_FOR_TIME = 34;
const ROOM_FOR_ID = 50;
const TIMES_WIDTH = 8;

/** The visible rows of the list. */
export function listRows(view: SessionView, width: number, height: number, palette: Palette, nowMs: number): string[] {
  const top = view.list.topFor(height);
  const selected = view.list.selectedRow;
  const digits = numberText(view.log.messageCount + view.held.rows.length).length;
  return Array.from({ length: height }, (_, i) => {
    const row = view.list.row(top + i);
    if (row === undefined) return ' '.repeat(width);
    const { spans, right } = rowSpans(row, view, width, digits, nowMs);
    return styledRow(spans, width, palette, { isSelected: top + i === selected, right });
  });
}

function rowSpans(
  row: ListRow,
  view: SessionView,
  width: number,
  digits: number,
  nowMs: number,
): { readonly spans: readonly StyledSpan[]; readonly right: readonly StyledSpan[] } {
  const entry = row.kind === 'held' ? row.held.message : row.entry;
  const words = wordsOf(entry);
  const startMs = view.header?.startedAtMs ?? entry.atMs;
  const outcome = view.log.outcomeOf(entry);
  const failed = words.failed || (words.isRequest && outcome?.status === 'error');
  const isHeld = row.kind === 'held';
  const message = entry.kind === 'message' ? entry : undefined;
  const tone = toneOf(words, message, failed, isHeld);
  const number = isHeld ? numberText(row.sequence) : message === undefined ? '' : numberText(message.sequence);
  const time = width < ROOM_FOR_TIME ? '' : `${formatElapsedShort(entry.atMs - startMs).padStart(7)} `;
  const answers = words.isResponse && words.brief === '' ? (outcome?.name ?? outcome?.method ?? '') : words.brief;
  const spans: StyledSpan[] = [
    { text: ` ${markOf(message, isHeld, failed)} `, style: isHeld ? 'waiting' : tone },
    { text: `${number.padStart(digits)} ${time}`, style: 'dim' },
    { text: `${message === undefined ? '·' : ARROWS[message.direction]} `, style: tone === 'dim' ? 'dim' : 'accent' },
    { text: words.name, style: tone },
    { text: answers === '' ? '' : `  ${answers}`, style: failed ? 'error' : 'dim' },
  ];
  const id =
    width >= ROOM_FOR_ID && words.id !== undefined ? [{ text: ` ${shortId(words.id)} `, style: 'dim' as const }] : [];
  const timed = isHeld
    ? heldClock(row.held, nowMs)
    : timing(words, outcome, view.ending === undefined, message !== undefined && view.log.isOrphan(message));
  // If ids have a column, times have one too.
  const clock = id.length === 0 ? timed : { ...timed, text: timed.text.padStart(TIMES_WIDTH) };
  return { spans, right: [...id, clock] };
}

function toneOf(words: RowWords, message: MessageEntry | undefined, failed: boolean, isHeld: boolean): Style {
  if (isHeld) return 'bold';
  if (failed) return 'error';
  // Notifications and entries that are not messages matter least.
  return message === undefined || (!words.isRequest && !words.isResponse) ? 'dim' : 'plain';
}

/** Marks what was done to a message, or that it failed. */
function markOf(message: MessageEntry | undefined, isHeld: boolean, failed: boolean): string {
  if (isHeld) return '⏸';
  const [mark] = message === undefined ? [] : marksOf(message);
  if (mark !== undefined) return MARK_GLYPHS[mark];
  return failed ? STATUS_GLYPHS.error : ' ';
}

function heldClock({ isAbandoned, sinceMs }: HeldRow, nowMs: number): StyledSpan {
  return { text: isAbandoned ? 'not sent' : heldText(nowMs - sinceMs), style: 'waiting' };
}

/** The time until the response, shown with the request, and any status other than ok or error; or that a response is an orphan. */
function timing(
  { isRequest }: RowWords,
  outcome: RowOutcome | undefined,
  runs: boolean,
  isOrphan: boolean,
): StyledSpan {
  if (isOrphan) return { text: 'orphan', style: 'waiting' };
  if (!isRequest) return { text: '', style: 'dim' };
  if (outcome === undefined) return { text: STATUS_GLYPHS.pending, style: runs ? 'waiting' : 'dim' };
  const { status, durationMs } = outcome;
  return {
    text: statusWords(status, durationMs),
    style: status === 'error' ? 'error' : status === 'ok' ? 'plain' : 'waiting',
  };
}

const MAX_ID = 10;

function shortId(id: string): string {
  return `id ${id.length > MAX_ID ? cutText(id, MAX_ID - 1) : id}`;
}
