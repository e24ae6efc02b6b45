import { exchangeIn } from '../../analysis/calls/call-reply.ts';
import { ObjectView } from '../../json/object-view.ts';
import { type Entry, exactText, type MessageEntry, opposite } from '../../model/entry.ts';
import { numberText } from '../../model/message-number.ts';
import { formatDuration, formatElapsedShort, formatSize, wholeSeconds } from '../../present/figures.ts';
import { ARROWS, MARK_GLYPHS, MARK_WORDS, marksOf } from '../../present/glyphs.ts';
import { heldText } from '../../present/release-words.ts';
import { wordsOf } from '../../present/row-words.ts';
import { envelopeOf } from '../../protocol/envelope.ts';
import type { DetailPane } from '../model/detail-pane.ts';
import type { ListRow } from '../model/message-list.ts';
import type { SessionView } from '../model/session-view.ts';
import type { ShownDocument } from '../payload/document.ts';
import type { PayloadRow } from '../payload/payload-rows.ts';
import { type Palette, type StyledSpan, styledRow } from './styled-row.ts';

const SIDES = { client_to_server: 'client', server_to_client: 'server' } as const;

/** From this height on, there is room for more than one line about a message, and for a gap. */
const ROOMY = 8;
/** Below this width, only an arrow shows the direction, to leave room for the outcome. */
const NARROW = 50;
/** The columns before a row, which show whether it can be folded. */
const GUTTER = 2;

/** The visible part of the detail pane: a few lines about the selected message, and its payload. */
export function detailRows(
  view: SessionView,
  width: number,
  height: number,
  palette: Palette,
  { nowMs, hasFocus }: { readonly nowMs: number; readonly hasFocus: boolean },
): string[] {
  const row = view.list.selected;
  if (row === undefined) return Array.from({ length: height }, () => ' '.repeat(width));
  const head = headOf(row, view, nowMs, width < NARROW);
  const shownHead = height < ROOMY ? head.slice(0, 1) : [...head, []];
  const rest = Math.max(0, height - shownHead.length);
  const body = paneRows(view.detail, keyOf(row), shownOf(row), { width, height: rest, palette, hasFocus });
  return [...shownHead.map((spans) => styledRow(spans, width, palette)), ...body];
}

export interface PaneFrame {
  readonly width: number;
  readonly height: number;
  readonly palette: Palette;
  /** Whether the pane has the focus. */
  readonly hasFocus: boolean;
}

/** The visible rows of a payload. */
export function paneRows(pane: DetailPane, key: string, shown: ShownDocument, frame: PaneFrame): string[] {
  const { width, height, palette, hasFocus } = frame;
  pane.show(key, shown, width - GUTTER - 1);
  const top = pane.topFor(height);
  return Array.from({ length: height }, (_, i) => {
    const payload = pane.document?.row(top + i);
    const spans = payload === undefined ? [] : payloadSpans(payload, pane.search);
    return styledRow(spans, width, palette, {
      isSelected: hasFocus && payload !== undefined && top + i === pane.row,
    });
  });
}

/** The title of the detail pane: the method and its subject. */
export function detailTitle(row: ListRow | undefined): string {
  if (row === undefined) return '';
  const entry = row.kind === 'held' ? row.held.message : row.entry;
  const { name } = wordsOf(entry);
  const method = entry.kind === 'message' ? envelopeOf(entry).method : undefined;
  return method === undefined || method === name ? name : `${method} ${name}`;
}

function keyOf(row: ListRow): string {
  if (row.kind === 'held') return row.held.id;
  return row.entry.kind === 'message' ? row.entry.proxyId : `entry ${row.index}`;
}

function shownOf(row: ListRow): ShownDocument {
  if (row.kind === 'held') return { text: row.held.message.text, original: row.held.original };
  const { entry } = row;
  if (entry.kind === 'event') return { text: entry.raw, original: undefined };
  if (entry.kind === 'other') return { text: entry.text, original: undefined };
  const { text, sentText, modified, original } = entry;
  // If the sent text is not JSON, it is compared with the text as received.
  if (sentText !== undefined) return { text: sentText, original: original ?? text };
  return { text, original: modified ? original : undefined };
}

function headOf(row: ListRow, view: SessionView, nowMs: number, isNarrow: boolean): StyledSpan[][] {
  const entry = row.kind === 'held' ? row.held.message : row.entry;
  if (entry.kind !== 'message') return [[{ text: ` ${wordsOf(entry).name}`, style: 'bold' }], whenOf(entry, view)];
  const sequence = row.kind === 'held' ? row.sequence : entry.sequence;
  const { id } = wordsOf(entry);
  const way = isNarrow ? [] : [`${SIDES[entry.direction]} → ${SIDES[opposite(entry.direction)]}`];
  const first: StyledSpan[] = [
    { text: ` ${numberText(sequence)} `, style: 'bold' },
    { text: `${ARROWS[entry.direction]} `, style: 'accent' },
    { text: [...way, ...(id === undefined ? [] : [`id ${id}`])].join('   '), style: 'plain' },
  ];
  if (row.kind === 'held') return [[...first, heldWords(row, nowMs)], whenOf(entry, view)];
  return [
    [...first, ...markSpans(entry)],
    [...whenOf(entry, view), ...pairWords(entry, view)],
  ];
}

function heldWords({ held }: Extract<ListRow, { kind: 'held' }>, nowMs: number): StyledSpan {
  const all = wholeSeconds(held.untilMs - held.sinceMs);
  const rule = held.rule === undefined ? '' : ` by rule ${held.rule}`;
  if (held.isAbandoned) return { text: `   ⏸ held${rule}, never forwarded`, style: 'waiting' };
  return { text: `   ⏸ ${heldText(nowMs - held.sinceMs)} of ${all}${rule}`, style: 'waiting' };
}

function markSpans(entry: MessageEntry): StyledSpan[] {
  return marksOf(entry).map((mark) => ({
    text: `   ${MARK_GLYPHS[mark]} ${MARK_WORDS[mark]}`,
    style: mark === 'dropped' ? 'error' : 'waiting',
  }));
}

function whenOf(entry: Entry, { header }: SessionView): StyledSpan[] {
  const conversation = entry.kind === 'other' ? undefined : entry.conversation;
  const facts = [
    formatElapsedShort(entry.atMs - (header?.startedAtMs ?? entry.atMs)),
    formatSize(Buffer.byteLength(exactText(entry))),
    ...(conversation === undefined || conversation === 0 ? [] : [`conversation ${conversation}`]),
    ...(entry.kind === 'message' ? wayOf(entry) : []),
  ];
  return [{ text: ` ${facts.join('  ')}`, style: 'dim' }];
}

/** The HTTP exchange, SSE event or batch that carried the message. */
function wayOf({ http, sse, batch }: MessageEntry): string[] {
  const exchange = exchangeIn(http);
  const eventId = sse === undefined ? undefined : ObjectView.of(sse)?.string('id');
  return [
    ...(exchange === undefined ? [] : [`http exchange ${exchange}`]),
    ...(eventId === undefined ? [] : [`event ${eventId}`]),
    ...(batch === undefined ? [] : ['part of a batch']),
  ];
}

/** The matching request or response, and the time between the two. */
function pairWords(entry: MessageEntry, { log }: SessionView): StyledSpan[] {
  const outcome = log.outcomeOf(entry);
  if (outcome?.answer === undefined) return [];
  const { status, durationMs, request, answer } = outcome;
  const time = durationMs === undefined ? '' : ` after ${formatDuration(durationMs)}`;
  const text =
    entry.sequence === request
      ? `  answered by ${numberText(answer)}${time}`
      : `  answers ${numberText(request)}${time}`;
  return [
    { text, style: 'dim' },
    { text: status === 'ok' ? '' : `  ${status}`, style: 'error' },
  ];
}

function payloadSpans({ indent, spans, fold, isFolded }: PayloadRow, search: string | undefined): StyledSpan[] {
  const marker = fold === undefined ? '  ' : isFolded ? '▸ ' : '▾ ';
  const shown = search === undefined || search === '' ? spans : spans.flatMap((span) => highlighted(span, search));
  return [
    { text: ` ${marker}`.slice(0, GUTTER + 1), style: 'dim' },
    { text: ' '.repeat(indent), style: 'plain' },
    ...shown,
  ];
}

function highlighted(span: StyledSpan, search: string): StyledSpan[] {
  const { text } = span;
  const pieces: StyledSpan[] = [];
  const lowered = text.toLowerCase();
  const requested = search.toLowerCase();
  let at = 0;
  for (let found = lowered.indexOf(requested); found >= 0; found = lowered.indexOf(requested, at)) {
    pieces.push(
      { ...span, text: text.slice(at, found) },
      { ...span, text: text.slice(found, found + requested.length), style: 'found' },
    );
    at = found + requested.length;
  }
  return [...pieces, { ...span, text: text.slice(at) }];
}
