import { Command } from 'commander';
import { oneLine } from '../../../present/visible-text.ts';
import { sessionsFolder } from '../../../state/home.ts';
import type { CommandStep } from '../../command-run.ts';
import type { CommandEnvironment } from '../../context.ts';
import { examples } from '../../examples.ts';
import { inColour, type TableStyle, type TextColor, tableStyle } from '../shared/text-table.ts';
import { asData, bytesText, durationOf, durationText, localTime, stateText } from './sessions-facts.ts';
import { type KnownSession, knownSessions } from './sessions-lookup.ts';

export function listCommand(context: CommandEnvironment): Command {
  return new Command('list')
    .description('list recorded sessions, newest first')
    .option('--json', 'print JSON Lines: a session each, then a summary')
    .addHelpText('after', examples(['mcpreel sessions list', 'mcpreel sessions list --json']))
    .action(({ json }: { json?: boolean }) => context.execute(runList(json === true, context)));
}

async function* runList(json: boolean, context: CommandEnvironment): CommandStep {
  const { terminal, stateFolder } = context;
  const sessions = await knownSessions(context);
  const nowMs = Date.now();
  if (json) {
    for (const session of sessions) yield `${JSON.stringify(asData(session, nowMs))}\n`;
    const bytes = sessions.reduce((sum, session) => sum + session.bytes, 0);
    yield `${JSON.stringify({ summary: { sessions: sessions.length, bytes } })}\n`;
  } else if (sessions.length === 0) {
    yield { note: `No sessions in ${sessionsFolder(stateFolder)}` };
  } else {
    yield table(sessions, nowMs, tableStyle(terminal));
  }
}

/** The columns of the table. Numbers are right-aligned. */
const COLUMNS: readonly {
  readonly title: string;
  readonly isNumber?: boolean;
  readonly cell: (session: KnownSession, nowMs: number) => string;
}[] = [
  { title: 'ID', cell: ({ header }) => oneLine(header.id.slice(0, 8)) },
  { title: 'STARTED', cell: ({ header }) => localTime(header.startedAtMs).slice(0, -':00'.length) },
  {
    title: 'TIME',
    isNumber: true,
    cell: (session, nowMs) => durationText(durationOf(session, nowMs)),
  },
  { title: 'ENTRIES', isNumber: true, cell: ({ entries }) => String(entries ?? '?') },
  { title: 'SIZE', isNumber: true, cell: ({ bytes }) => bytesText(bytes) },
  { title: 'STATE', cell: stateText },
  { title: 'LABEL', cell: ({ header }) => oneLine(header.label) },
];

const MIN_LABEL = 8;

/** The label is cut if the terminal is narrow. */
function table(sessions: readonly KnownSession[], nowMs: number, style: TableStyle): string {
  const rows = sessions.map((session) => COLUMNS.map(({ cell }) => cell(session, nowMs)));
  const widths = COLUMNS.map(({ title }, column) =>
    rows.reduce((widest, cells) => Math.max(widest, lengthOf(cells[column] ?? '')), title.length),
  );
  const others = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0);
  widths.push(Math.min(widths.pop() ?? 0, Math.max(MIN_LABEL, style.width - others)));
  const line = (cells: readonly string[]): string =>
    cells.map((cell, column) => fitted(cell, widths[column] ?? 0, COLUMNS[column]?.isNumber === true)).join('  ');
  const lines = rows.map((cells, row) => inColour(line(cells).trimEnd(), colourOf(sessions[row]), style));
  return `${[line(COLUMNS.map(({ title }) => title)).trimEnd(), ...lines].join('\n')}\n`;
}

function fitted(text: string, width: number, isRight: boolean): string {
  const characters = [...text];
  if (characters.length > width) return `${characters.slice(0, width - 1).join('')}…`;
  const space = ' '.repeat(width - characters.length);
  return isRight ? space + text : text + space;
}

function lengthOf(text: string): number {
  return [...text].length;
}

function colourOf(session: KnownSession | undefined): TextColor | undefined {
  if (session?.live !== undefined) return 'green';
  return session?.footer === undefined ? 'yellow' : undefined;
}
