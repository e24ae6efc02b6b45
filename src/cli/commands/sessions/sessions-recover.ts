import { dirname } from 'node:path';
import { Command } from 'commander';
import { createFolder } from '../../../files/new-file.ts';
import { sessionFile } from '../../../formats/session-file/session-file.ts';
import { UnknownFieldKeeper } from '../../../formats/unknown-fields.ts';
import { ObjectView } from '../../../json/object-view.ts';
import { ReelError } from '../../../model/errors.ts';
import type { RecordedSession, SessionHeader } from '../../../model/session.ts';
import { shellWord } from '../../../model/shell-line.ts';
import { countOf } from '../../../present/figures.ts';
import { oneLine } from '../../../present/visible-text.ts';
import { recoveredPath, withoutPlace } from '../../../record/save-session-file.ts';
import type { LeftoverReport } from '../../../recovery/leftovers.ts';
import type { CommandStep, OutputPart } from '../../command-run.ts';
import type { CommandEnvironment } from '../../context.ts';
import { examples } from '../../examples.ts';
import { usage } from '../../flags/flag-values.ts';
import { ownCommand } from '../../own-command.ts';
import { completeTraces } from '../shared/complete-traces.ts';
import { countingEntries } from '../shared/counting.ts';
import { deliver, isStandardOutput } from '../shared/deliver.ts';
import { openWatchedSession } from '../shared/open-watched.ts';
import { withSession } from '../shared/reading.ts';
import { refuseSameFile } from '../shared/refuse-same-file.ts';
import { knownSession } from './sessions-lookup.ts';

export function recoverCommand(context: CommandEnvironment): Command {
  return new Command('recover')
    .description('complete sessions that were cut short, and write the session file of one')
    .argument('[id]', 'first four or more characters of the session id (default: complete all)')
    .option('-o, --output <file>', 'output file (default: next to the trace)')
    .addHelpText(
      'after',
      examples([
        'mcpreel sessions recover',
        'mcpreel sessions recover 385a99db',
        'mcpreel sessions recover 385a99db -o session.json',
      ]),
    )
    .action((id: string | undefined, { output }: { output?: string }) =>
      context.execute(id === undefined ? runRecoverAll(output, context) : runRecover(id, output, context)),
    );
}

/** Writes what is left in journals of killed sessions to their traces. */
async function* runRecoverAll(output: string | undefined, context: CommandEnvironment): CommandStep {
  if (output !== undefined)
    throw usage('-o needs the id of a session', 'Example: mcpreel sessions recover 385a99db -o F');
  const reports = (await completeTraces(context)).filter(({ outcome }) => outcome.kind !== 'running');
  if (reports.length === 0) yield 'No session was cut short with messages left to recover.\n';
  for (const report of reports) yield recoveredLine(report);
}

/** What became of the journal of a session. */
function recoveredLine({ pointer, outcome, sessionFile }: LeftoverReport): OutputPart {
  const name = pointer.id.slice(0, 8);
  switch (outcome.kind) {
    case 'recovered': {
      const saved = sessionFile === undefined ? '' : `, and wrote ${sessionFile}`;
      return `${oneLine(`${name}: recovered ${countOf(outcome.messages, 'message')} to ${outcome.trace}${saved}`)}\n`;
    }
    case 'left':
      return { note: oneLine(`${name}: not recovered: ${outcome.why} (${pointer.journal})`) };
    default:
      return `${name}: nothing was missing\n`;
  }
}

async function* runRecover(id: string, place: string | undefined, context: CommandEnvironment): CommandStep {
  for (const report of await completeTraces(context, id)) {
    const { outcome } = report;
    if (outcome.kind === 'left' || (outcome.kind === 'recovered' && outcome.entries > 0)) {
      yield { note: noteOf(recoveredLine(report)) };
    }
  }
  const { files, live } = await knownSession(id, context);
  const trace = files[0]?.path ?? id;
  await refuseSameFile([trace], [place], context);
  yield* withSession(trace, { format: 'trace' }, context, async function* (session) {
    const path = place ?? (await besideTrace(trace, session.header, context));
    if (!isStandardOutput(path)) createFolder(dirname(path));
    const counted = countingEntries(withFieldsAside(withoutPlace(session)));
    yield* deliver(sessionFile.write(counted), path);
    const recovered = `Recovered ${countOf(counted.counts.messages, 'message')}`;
    if (isStandardOutput(path)) yield { note: recovered };
    else yield `${recovered} to ${oneLine(path)}\n`;
    if (place === undefined) yield* requestedNote(id, session.header, context);
    if (live !== undefined) yield { note: 'The session is still running: later messages are not in the file.' };
    else if (session.footer === undefined)
      yield { note: 'The recording was cut short: how the session ended is unknown.' };
  });
}

function noteOf(part: OutputPart): string {
  return typeof part === 'object' && 'note' in part ? part.note : String(part).trimEnd();
}

/** Names the path that the trace was to be saved to. A trace may be anybody's, so only the user can choose to write there. */
function* requestedNote(
  id: string,
  { keepsakes }: SessionHeader,
  context: CommandEnvironment,
): Generator<{ readonly note: string }> {
  const requested = ObjectView.of(keepsakes?.trace ?? '{}')?.string('sessionFile');
  if (requested === undefined) return;
  const place = shellWord(requested, context.platform);
  const recorded = `The session was recorded with --session-file`;
  yield {
    note: oneLine(
      place === undefined
        ? `${recorded} ${requested}. To write that file, pass it with -o. Its name cannot be pasted into every shell.`
        : `${recorded}. To write that file: ${ownCommand(context)} sessions recover ${id} -o ${place}`,
    ),
  };
}

/** The default path for a session file. Throws if that file holds another session. */
async function besideTrace(trace: string, { id }: SessionHeader, context: CommandEnvironment): Promise<string> {
  const path = recoveredPath(trace);
  const holder = await sessionIn(path, context);
  if (holder === undefined || holder === id) return path;
  throw new ReelError('file-unwritable', `${path} exists and belongs to another session`, {
    hint: 'Name another file with -o.',
  });
}

/**
 * Puts the members of a header that would stand at the top of the session file below `trace`: a trace of unknown origin
 * must not choose what a session file says about itself.
 */
function withFieldsAside<Session extends RecordedSession>(session: Session): Session {
  const { header } = session;
  const { session: topLevel, trace, transcript } = header.keepsakes ?? {};
  if (topLevel === undefined) return session;
  const keeper = new UnknownFieldKeeper();
  const view = ObjectView.of(trace ?? '{}');
  for (const { key, start, end } of view?.members ?? []) keeper.keep(key, view?.text.slice(start, end) ?? '');
  keeper.keep('extra', topLevel);
  return { ...session, header: { ...header, keepsakes: { trace: keeper.text, transcript } } };
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
