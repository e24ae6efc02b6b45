import { Command } from 'commander';
import { safeLabel } from '../../../catalog/trace-names.ts';
import { sessionFile } from '../../../formats/session-file/session-file.ts';
import { ObjectView } from '../../../json/object-view.ts';
import { ReelError } from '../../../model/errors.ts';
import type { SessionHeader } from '../../../model/session.ts';
import { countOf } from '../../../present/figures.ts';
import { oneLine } from '../../../present/visible-text.ts';
import { withoutPlace } from '../../../record/save-session-file.ts';
import type { CommandStep } from '../../command-run.ts';
import type { CommandEnvironment } from '../../context.ts';
import { examples } from '../../examples.ts';
import { countingEntries } from '../shared/counting.ts';
import { deliver, isStandardOutput } from '../shared/deliver.ts';
import { openWatchedSession } from '../shared/open-watched.ts';
import { withSession } from '../shared/reading.ts';
import { knownSession } from './sessions-lookup.ts';

export function recoverCommand(context: CommandEnvironment): Command {
  return new Command('recover')
    .description('write the session file of a session from its trace')
    .argument('<id>', 'the first digits of its id, four or more')
    .option('-o, --output <file>', 'where to write; if absent where the session file was to be, else here')
    .addHelpText(
      'after',
      examples(['mcpreel sessions recover 385a99db', 'mcpreel sessions recover 385a99db -o session.json']),
    )
    .action((id: string, { output }: { output?: string }) => context.execute(runRecover(id, output, context)));
}

async function* runRecover(id: string, place: string | undefined, context: CommandEnvironment): CommandStep {
  const { files, live } = await knownSession(id, context);
  yield* withSession(files[0]?.path ?? id, { format: 'trace' }, context, async function* (session) {
    const path = place ?? (await ownPlaceFor(session.header, context));
    const counted = countingEntries(withoutPlace(session));
    yield* deliver(sessionFile.write(counted), path);
    const recovered = `Recovered ${countOf(counted.counts.messages, 'message')}`;
    if (isStandardOutput(path)) yield { note: recovered };
    else yield `${recovered} to ${oneLine(path)}\n`;
    if (live !== undefined) yield { note: 'The session is still running: what comes next is not in the file.' };
    else if (session.footer === undefined)
      yield { note: 'The trace was cut short: how the session ended is not known.' };
  });
}

/** The default path for a session file. Throws if that file holds another session, such as a later run's. */
async function ownPlaceFor({ id, label, keepsakes }: SessionHeader, context: CommandEnvironment): Promise<string> {
  const requested = ObjectView.of(keepsakes?.trace ?? '{}')?.string('sessionFile');
  const path = requested ?? `${safeLabel(label)}-${safeLabel(id.slice(0, 8))}.json`;
  const holder = await sessionIn(path, context);
  if (holder === undefined || holder === id) return path;
  throw new ReelError('file-unwritable', `${path} is there already and is not of this session`, {
    hint: 'Name another file with -o.',
  });
}

/** The id of the session in a file: empty if it contains none, `undefined` if there is no file. */
async function sessionIn(path: string, context: CommandEnvironment): Promise<string | undefined> {
  try {
    const { header, close } = await openWatchedSession(path, {}, context);
    await close();
    return header.id;
  } catch (error) {
    return error instanceof ReelError && error.code === 'file-not-found' ? undefined : '';
  }
}
