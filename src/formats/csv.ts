import type { Call } from '../analysis/calls/call.ts';
import { marksOfCall } from '../analysis/calls/call-marks.ts';
import { callsOf } from '../analysis/calls/call-tracker.ts';
import { ObjectView } from '../json/object-view.ts';
import type { JsonText } from '../model/entry.ts';
import type { RecordedSession } from '../model/session.ts';
import { formatTraceTime } from '../model/times.ts';
import { envelopeOf } from '../protocol/envelope.ts';
import { type FormatWriter, PIECE_LENGTH } from './format.ts';
import { plainId } from './plain-id.ts';

/** Longer cells are truncated, because spreadsheets do not accept them. */
const MAX_CELL = 32_000;

/** Writes a table of calls for spreadsheets, as CSV (RFC 4180). */
export const csv: FormatWriter = {
  id: 'csv',
  title: 'Table of calls (CSV)',
  loses: [
    'messages as sent',
    'messages other than calls',
    'originals of edited messages',
    'events',
    'the session header',
    'fields of other formats',
  ],
  write: writeCsv,
};

type CsvCell = string | number | undefined;

/** The columns in order, with the cell of each. */
const COLUMNS: readonly (readonly [name: string, cell: (call: Call, hasTimes: boolean) => CsvCell])[] = [
  ['message', ({ request }) => request.sequence],
  ['time', ({ request }, hasTimes) => (hasTimes ? formatTraceTime(request.atMs) : undefined)],
  ['conversation', ({ conversation }) => conversation],
  ['direction', ({ direction }) => direction],
  ['method', ({ method }) => method],
  ['name', ({ name }) => name],
  ['id', ({ request }) => plainId(envelopeOf(request).id)],
  ['status', ({ status }) => status],
  ['duration_ms', ({ durationMs }, hasTimes) => (hasTimes ? durationMs : undefined)],
  ['human_ms', ({ humanMs }, hasTimes) => (hasTimes ? humanMs : undefined)],
  ['retries', ({ rounds }) => rounds.length],
  ['characters_sent', ({ size }) => size.sent],
  ['characters_received', ({ size }) => size.received],
  ['error_code', ({ answer }) => errorIn(answer?.text)?.textOf('code')],
  ['error_message', ({ answer }) => errorIn(answer?.text)?.string('message')],
  ['answer', ({ answer }) => answer?.sequence],
  ['proxy_id', ({ request }) => request.proxyId],
  ['marks', (call) => marksOfCall(call).join(' ') || undefined],
];

async function* writeCsv(session: RecordedSession): AsyncGenerator<string> {
  const hasTimes = session.numbersTimes !== true;
  let piece = row(COLUMNS.map(([name]) => name));
  for await (const call of callsOf(session)) {
    piece += row(COLUMNS.map(([, cell]) => cell(call, hasTimes)));
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

/** What may stand before a formula: blank and invisible characters, which are stripped, and separators of cells. */
const BEFORE_FORMULA = /[;\p{Z}\p{Cf}\p{Cc}]+|^/gu;

const STARTS_FORMULA = /^[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/;

/**
 * Adds an apostrophe before everything that a spreadsheet would evaluate or run when it opens the file. If it splits
 * rows at semicolons or tabs instead of commas, a cell also begins after each of these, even within quotes.
 */
function harmless(text: string): string {
  if (PLAIN_NUMBER.test(text)) return text;
  // A spreadsheet strips a leading tab or line break and then checks the rest again.
  const guarded = /^[\t\r\n]/.test(text) ? `'${text}` : text;
  return guarded.replaceAll(BEFORE_FORMULA, (before: string, at: number) => {
    if (!STARTS_FORMULA.test(guarded.charAt(at + before.length))) return before;
    const cell = 1 + Math.max(...[';', '\t', '\r', '\n'].map((separator) => before.lastIndexOf(separator)));
    return cell > 0 || at === 0 ? `${before.slice(0, cell)}'${before.slice(cell)}` : before;
  });
}

function errorIn(text: JsonText | undefined): ObjectView | undefined {
  return text?.includes('"error"') ? ObjectView.of(text)?.object('error') : undefined;
}
