import { Command, Option } from 'commander';
import { openSource, readOpened } from '../../../catalog/open-session.ts';
import { isOwnRecording } from '../../../catalog/own-recording.ts';
import type { Spool } from '../../../files/spool.ts';
import { ReelError } from '../../../model/errors.ts';
import type { CommandStep } from '../../command-run.ts';
import type { CommandEnvironment } from '../../context.ts';
import { examples } from '../../examples.ts';
import { portIn } from '../../flags/flag-values.ts';
import { knownSessions, runningSessions } from '../sessions/sessions-lookup.ts';
import { completeTraces } from '../shared/complete-traces.ts';
import { type ManyFlags, manyReadingOptions } from '../shared/many-sessions.ts';
import { refuseSecondInput, SESSIONS_HELP } from '../shared/reading.ts';
import { servePage, type ViewFile, type ViewSubject } from './view-page.ts';

interface ViewFlags extends ManyFlags {
  readonly live?: boolean;
  readonly open: boolean;
  readonly port: number;
}

export function viewCommand(context: CommandEnvironment): Command {
  const command = new Command('view')
    .description('show recorded or running sessions in the browser')
    .argument('[sessions...]', `${SESSIONS_HELP}; several are merged by time`);
  for (const option of manyReadingOptions()) if (option.long !== '--strict') command.addOption(option);
  return command
    .option('--live', 'follow all running sessions, and new ones')
    .addOption(
      new Option('--port <port>', 'listen on this port of 127.0.0.1')
        .argParser((given) => portIn('port', given))
        .default(0, 'any free one'),
    )
    .option('--no-open', 'do not open the browser')
    .addHelpText('after', '\nWithout a session, it shows the running ones, or else the newest recording.')
    .addHelpText('after', examples(['mcpreel view session.json', 'mcpreel view --live --no-open --port 7000']))
    .action((references: readonly string[], flags: ViewFlags) => context.execute(runView(references, flags, context)));
}

async function* runView(references: readonly string[], flags: ViewFlags, context: CommandEnvironment): CommandStep {
  const subject = yield* subjectOf(references, flags, context);
  yield* servePage(subject, { port: flags.port, opens: flags.open && context.terminal.isTerminal }, context);
}

async function* subjectOf(
  references: readonly string[],
  flags: ViewFlags,
  context: CommandEnvironment,
): CommandStep<ViewSubject> {
  if (references.length > 0) return namedSubject(references, flags, context);
  const running = await runningSessions(context);
  if (flags.live === true || running.length > 0) {
    if (running.length === 0) yield { note: 'No session is running yet. New ones will appear on the page.' };
    return { files: [], live: 'all' };
  }
  const [newest] = await knownSessions(context);
  if (newest === undefined) {
    throw new ReelError('session-not-found', 'No session is running and none was recorded', {
      hint: 'Pass a file, or record a server: mcpreel -- <server command…>',
    });
  }
  return namedSubject([newest.files[0]?.path ?? newest.header.id], flags, context);
}

async function namedSubject(
  references: readonly string[],
  { live: wantsAll, format, identity: identityFiles }: ViewFlags,
  context: CommandEnvironment,
): Promise<ViewSubject> {
  refuseSecondInput(references);
  const { stateFolder, stdin, progress } = context;
  const running = await runningSessions(context);
  const watched = progress?.stream(stdin, 'standard input') ?? stdin;
  const live = new Set<string>();
  const opened: Spool[] = [];
  const files: ViewFile[] = [];
  try {
    for (const [index, reference] of references.entries()) {
      progress?.turnTo(index + 1, references.length);
      const requested = reference.toLowerCase();
      const [session, ...others] = running.filter(
        ({ id, trace }) => (requested !== '' && id.toLowerCase().startsWith(requested)) || trace === reference,
      );
      if (session !== undefined && others.length === 0) {
        live.add(session.id);
        continue;
      }
      await completeTraces(context, reference);
      const spool = await openSource(reference, { format, stateFolder, stdin: watched, identityFiles });
      opened.push(spool);
      // Unreadable files are reported here too, not only in the page.
      const source = progress?.source(spool.source) ?? spool.source;
      const read = await readOpened({ source, remove: async () => undefined }, { format });
      files.push({ spool, format, isOwn: isOwnRecording(spool.source.name, read, stateFolder) });
    }
  } catch (error) {
    for (const spool of opened) await spool.remove();
    throw error;
  }
  return { files, live: wantsAll === true ? 'all' : live.size > 0 ? live : undefined };
}
