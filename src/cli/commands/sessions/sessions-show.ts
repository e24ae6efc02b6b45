import { Command } from 'commander';
import { sayingLeftOut, shellLine } from '../../../model/shell-line.ts';
import { formatDate, formatDuration, formatSize } from '../../../present/figures.ts';
import { oneLine } from '../../../present/visible-text.ts';
import type { CommandStep } from '../../command-run.ts';
import type { CommandEnvironment } from '../../context.ts';
import { examples } from '../../examples.ts';
import { asData, durationOf, stateText } from './sessions-facts.ts';
import { type KnownSession, knownSession } from './sessions-lookup.ts';

export function showCommand(context: CommandEnvironment): Command {
  return new Command('show')
    .description('print details of a session')
    .argument('<id>', 'first four or more characters of the session id')
    .option('--json', 'print JSON')
    .addHelpText('after', examples(['mcpreel sessions show 385a99db', 'mcpreel sessions show 385a99db --json']))
    .action((id: string, { json }: { json?: boolean }) => context.execute(runShow(id, json === true, context)));
}

async function* runShow(id: string, json: boolean, context: CommandEnvironment): CommandStep {
  const session = await knownSession(id, context);
  const text = json
    ? JSON.stringify(asData(session, Date.now()))
    : factsOf(session, Date.now(), context.platform).join('\n');
  yield `${text}\n`;
}

function factsOf(session: KnownSession, nowMs: number, platform: string): string[] {
  const { header, footer, live, entries, files } = session;
  const facts: [name: string, value: string | undefined][] = [
    ['Session', header.id],
    ['Label', header.label],
    ['Server command', header.command.length > 0 ? sayingLeftOut(shellLine(header.command, platform)) : undefined],
    ['Server URL', header.url],
    ['Transport', header.transport],
    ['Started', formatDate(header.startedAtMs)],
    ['Ended', footer && formatDate(footer.endedAtMs)],
    ['Duration', formatDuration(durationOf(session, nowMs))],
    ['State', stateText(session)],
    ['Process', live && String(live.pid)],
    ['Entries', String(entries ?? 'unknown')],
  ];
  return [
    ...facts.flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${oneLine(value)}`])),
    ...files.map(({ path, bytes }) => `File: ${oneLine(path)} (${formatSize(bytes)})`),
  ];
}
