import { Command } from 'commander';
import { formatDate, formatDuration, formatSize } from '../../../present/figures.ts';
import { oneLine } from '../../../present/visible-text.ts';
import { sessionsFolder } from '../../../state/home.ts';
import type { CommandStep } from '../../command-run.ts';
import type { CommandEnvironment } from '../../context.ts';
import { examples } from '../../examples.ts';
import { joinedLines } from '../shared/joined-lines.ts';
import { type TextColor, tableStyle } from '../shared/text-style.ts';
import { type TableColumn, tableLines } from '../shared/text-table.ts';
import { asData, durationOf, stateText } from './sessions-facts.ts';
import { type KnownSession, knownSessions } from './sessions-lookup.ts';

export function listCommand(context: CommandEnvironment): Command {
  return new Command('list')
    .description('list recorded sessions, newest first')
    .option('--json', 'print JSON Lines: one session per line, then a summary')
    .addHelpText('after', examples(['mcpreel sessions list', 'mcpreel sessions list --json']))
    .action(({ json }: { json?: boolean }) => context.execute(runList(json === true, context)));
}

async function* runList(json: boolean, context: CommandEnvironment): CommandStep {
  const { terminal, stateFolder } = context;
  const sessions = await knownSessions(context);
  const nowMs = Date.now();
  if (json) {
    yield* joinedLines(jsonLines(sessions, nowMs));
    const bytes = sessions.reduce((sum, session) => sum + session.bytes, 0);
    yield `${JSON.stringify({ summary: { sessions: sessions.length, bytes } })}\n`;
  } else if (sessions.length === 0) {
    yield { note: `No sessions in ${sessionsFolder(stateFolder)}` };
  } else {
    yield* joinedLines(tableLines(columnsAt(nowMs), sessions, tableStyle(terminal)));
  }
}

function* jsonLines(sessions: readonly KnownSession[], nowMs: number): Generator<string> {
  for (const session of sessions) yield `${JSON.stringify(asData(session, nowMs))}\n`;
}

function columnsAt(nowMs: number): TableColumn<KnownSession>[] {
  const columns: readonly TableColumn<KnownSession>[] = [
    { title: 'ID', isText: true, cell: ({ header }) => oneLine(header.id.slice(0, 8)) },
    { title: 'STARTED', isText: true, cell: ({ startedAtMs }) => formatDate(startedAtMs).slice(0, -':00'.length) },
    { title: 'TIME', cell: (session) => formatDuration(durationOf(session, nowMs)) },
    { title: 'ENTRIES', cell: ({ entries }) => String(entries ?? '?') },
    { title: 'SIZE', cell: ({ bytes }) => formatSize(bytes) },
    { title: 'STATE', isText: true, cell: stateText },
    { title: 'LABEL', isCut: true, minWidth: 8, cell: ({ header }) => oneLine(header.label) },
  ];
  return columns.map((column) => ({ ...column, colour: colourOf }));
}

function colourOf(session: KnownSession): TextColor | undefined {
  if (session.live !== undefined) return 'green';
  return session.footer === undefined ? 'yellow' : undefined;
}
