import type { Call } from '../analysis/calls/call.ts';
import { callsOf } from '../analysis/calls/call-tracker.ts';
import { ObjectView } from '../json/object-view.ts';
import type { JsonText } from '../model/entry.ts';
import type { RecordedSession } from '../model/session.ts';
import { formatTraceTime } from '../model/times.ts';
import { envelopeOf } from '../protocol/envelope.ts';
import { type FormatWriter, PIECE_LENGTH } from './format.ts';
import { plainId } from './plain-id.ts';

/** A cell longer than this is cut: spreadsheets take no more. */
const MAX_CELL = 32_000;

/** A table of the calls for spreadsheets, as RFC 4180 has it. */
export const csv: FormatWriter = {
  id: 'csv',
  title: 'Table of calls (CSV)',
  loses: [
    'the messages themselves',
    'messages other than calls',
    'the original of a modified message',
    'what happened beside the messages',
    'the session header',
    'fields of other formats',
  ],
  write: writeCsv,
};

type CsvCell = string | number | undefined;

/** The columns in order, and what stands in each. */
const COLUMNS: readonly (readonly [name: string, cell: (call: Call) => CsvCell])[] = [
  ['message', ({ request }) => request.sequence],
  ['time', ({ request }) => formatTraceTime(request.atMs)],
  ['conversation', ({ conversation }) => conversation],
  ['direction', ({ direction }) => direction],
  ['method', ({ method }) => method],
  ['name', ({ name }) => name],
  ['id', ({ request }) => plainId(envelopeOf(request).id)],
  ['status', ({ status }) => status],
  ['duration_ms', ({ durationMs }) => durationMs],
  ['human_ms', ({ humanMs }) => humanMs],
  ['retries', ({ rounds }) => rounds.length],
  ['characters_sent', ({ size }) => size.sent],
  ['characters_received', ({ size }) => size.received],
  ['error_code', ({ answer }) => errorIn(answer?.text)?.textOf('code')],
  ['error_message', ({ answer }) => errorIn(answer?.text)?.string('message')],
  ['answer', ({ answer }) => answer?.sequence],
  ['proxy_id', ({ request }) => request.proxyId],
];

async function* writeCsv(session: RecordedSession): AsyncGenerator<string> {
  let piece = row(COLUMNS.map(([name]) => name));
  for await (const call of callsOf(session)) {
    piece += row(COLUMNS.map(([, cell]) => cell(call)));
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

function row(cells: readonly CsvCell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`;
}

function cellText(cell: CsvCell): string {
  if (cell === undefined) return '';
  if (typeof cell === 'number') return String(cell);
  const text = harmless(cell.slice(0, MAX_CELL));
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const PLAIN_NUMBER = /^-?\d{1,15}(\.\d{1,15})?$/;

/**
 * What a spreadsheet takes for the begin of a formula, in a cell's first place. Where it splits rows at semicolons or tabs
 * instead of commas, a cell begins behind each of these, too, whatever the quotes say.
 */
const FORMULA = /(^|[;\t\r\n])([\p{Zs}\p{Cf}\0]*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/gu;

/** The text with an apostrophe before all that would be calculated, or run, where the file is opened. */
function harmless(text: string): string {
  if (PLAIN_NUMBER.test(text)) return text;
  // A tab or a line break at the very start would be taken away, and what follows it looked at again.
  const guarded = /^[\t\r\n]/.test(text) ? `'${text}` : text;
  return guarded.replaceAll(FORMULA, "$1'$2");
}

function errorIn(text: JsonText | undefined): ObjectView | undefined {
  return text?.includes('"error"') ? ObjectView.of(text)?.object('error') : undefined;
}
