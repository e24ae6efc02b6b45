import type { RolledUp } from '../../../analysis/stats/roll-up.ts';
import type { Stats } from '../../../analysis/stats/stats.ts';
import type { CallFigures } from '../../../analysis/stats/tally.ts';
import { statusCounts } from '../../../present/call-words.ts';
import { countOf, formatDuration, formatSize } from '../../../present/figures.ts';
import { PRINTED_ARROWS } from '../../../present/glyphs.ts';
import { oneLine } from '../../../present/visible-text.ts';
import { inColour, type TableStyle } from '../shared/text-style.ts';
import { type TableColumn, tableText, wrapped } from '../shared/text-table.ts';

/** Statistics of a session as text. */
export function statsText(stats: Stats, style: TableStyle): string {
  const tools = stats.tools.map((tool) => ({ ...tool, title: tool.name }));
  const methods = stats.methods.map((method) => ({
    ...method,
    title: `${PRINTED_ARROWS[method.direction]} ${method.method}`,
  }));
  return [
    `Messages: ${stats.messages}\n${callsLine(stats.total)}`,
    section('TOOL', tools, style),
    section('METHOD', methods, style),
    toolNotes(stats, '', style),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** Statistics of many sessions as text. */
export function rolledUpText({ sessions, total, servers, days }: RolledUp, style: TableStyle): string {
  const tools = servers.flatMap(({ server, tools: ofServer }) =>
    ofServer.map((tool) => ({ ...tool, title: `${server}/${tool.name}` })),
  );
  const messages = servers.reduce((sum, server) => sum + server.messages, 0);
  return [
    `Sessions: ${sessions}\nMessages: ${messages}\n${callsLine(total)}`,
    section(
      'SERVER',
      servers.map((server) => ({ ...server.total, ...server, title: server.server })),
      style,
    ),
    section(
      'DAY',
      days.map((day) => ({ ...day, title: day.day })),
      style,
    ),
    section('TOOL', tools, style, true),
    servers.map((server) => toolNotes(server, `${oneLine(server.server)}: `, style)).join(''),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

interface StatsRow extends CallFigures {
  readonly title: string;
  readonly definitionBytes?: number | undefined;
  readonly sessions?: number;
}

function section(title: string, rows: readonly StatsRow[], style: TableStyle, keepsEnd = false): string {
  if (rows.length === 0) return '';
  const name: TableColumn<StatsRow> = {
    title,
    cell: (row) => oneLine(row.title),
    colour: nameColour,
    keepsEnd,
  };
  return tableText([name, ...columnsFor(rows)], rows, style);
}

function columnsFor(rows: readonly StatsRow[]): TableColumn<StatsRow>[] {
  const timed = (row: StatsRow, ms: number | undefined): string =>
    `${row.exact ? '' : '~'}${ms === undefined ? '-' : formatDuration(ms)}`;
  const columns: (TableColumn<StatsRow> | false)[] = [
    rows.some(({ sessions }) => sessions !== undefined) && {
      title: 'SESSIONS',
      cell: ({ sessions = 0 }) => String(sessions),
      spare: 5,
    },
    { title: 'CALLS', cell: ({ calls }) => String(calls) },
    {
      title: 'ERRORS',
      cell: ({ byStatus }) => String(byStatus.error),
      colour: ({ byStatus }) => (byStatus.error > 0 ? 'red' : undefined),
    },
    rows.some(({ byStatus }) => byStatus.pending > 0) && {
      title: 'PENDING',
      cell: ({ byStatus }) => String(byStatus.pending),
      colour: ({ byStatus }) => (byStatus.pending > 0 ? 'yellow' : undefined),
      spare: 1,
    },
    { title: 'P50', cell: (row) => timed(row, row.p50Ms), spare: 2 },
    { title: 'P95', cell: (row) => timed(row, row.p95Ms) },
    { title: 'P99', cell: (row) => timed(row, row.p99Ms), spare: 7 },
    { title: 'MAX', cell: ({ maxMs }) => (maxMs === undefined ? '-' : formatDuration(maxMs)), spare: 3 },
    { title: 'SENT', cell: ({ sentBytes }) => formatSize(sentBytes), spare: 8 },
    { title: 'RECEIVED', cell: ({ receivedBytes }) => formatSize(receivedBytes), spare: 6 },
    rows.some(({ definitionBytes }) => definitionBytes !== undefined) && {
      title: 'DEFINITION',
      cell: ({ definitionBytes }) => (definitionBytes === undefined ? '-' : formatSize(definitionBytes)),
      spare: 4,
    },
  ];
  return columns.filter((column) => column !== false);
}

function nameColour({ calls, byStatus }: StatsRow): 'red' | 'grey' | undefined {
  if (calls === 0) return 'grey';
  return byStatus.error > 0 ? 'red' : undefined;
}

function callsLine({ calls, byStatus }: CallFigures): string {
  return `Calls: ${[calls, ...statusCounts(byStatus)].join(', ')}\n`;
}

function toolNotes({ neverCalled, notAdvertised, tools }: Stats, prefix: string, style: TableStyle): string {
  const listed = tools.filter(({ definitionBytes }) => definitionBytes !== undefined).length;
  const spent = tools.filter(({ calls }) => calls === 0).reduce((sum, tool) => sum + (tool.definitionBytes ?? 0), 0);
  const lines: string[] = [];
  if (neverCalled.length > 0) {
    const share = `${neverCalled.length} of ${countOf(listed, 'tool')}, ${formatSize(spent)} of definitions`;
    lines.push(note(`${prefix}Never called (${share}): ${names(neverCalled)}`, style));
  }
  if (notAdvertised.length > 0) {
    const text = note(`${prefix}Called but not listed: ${names(notAdvertised)}`, style);
    lines.push(inColour(text, 'yellow', style));
  }
  return lines.map((line) => `${line}\n`).join('');
}

function note(text: string, { width }: TableStyle): string {
  return wrapped(text, width - NOTE_MARGIN.length).join(`\n${NOTE_MARGIN}`);
}

const NOTE_MARGIN = '  ';

/** More names than this would not be read; `--json` lists them all. */
const MAX_NAMED = 20;

function names(all: readonly string[]): string {
  const more = all.length > MAX_NAMED ? ` and ${all.length - MAX_NAMED} more` : '';
  return `${all.slice(0, MAX_NAMED).map(oneLine).join(', ')}${more}`;
}
