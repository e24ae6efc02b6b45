import type { EntryState } from '../../../install/entry-state.ts';
import { InstallLedger } from '../../../install/ledger.ts';
import type { ConfigChange } from '../../../install/plan-change.ts';
import type { StdioEntry } from '../../../install/server-entry.ts';
import { entriesIn, type InstallSurvey, type SurveyedFile } from '../../../install/survey.ts';
import { countOf } from '../../../present/figures.ts';
import { oneLine } from '../../../present/visible-text.ts';
import { requireOwnState } from '../../../state/own-state.ts';
import type { CommandStep, OutputPart } from '../../command-run.ts';
import type { CommandEnvironment } from '../../context.ts';
import { EXIT } from '../../exit-codes.ts';
import { agrees } from '../../terminal/ask.ts';
import { ConfigRefusals, type InstallFlags, surveyFor } from './configuration.ts';
import { diff, listing, listingData } from './server-listing.ts';

/** A change to the servers in the clients' configuration. */
export interface ConfigTask<C extends ConfigChange> {
  readonly verb: 'wrap' | 'unwrap';
  /** The state of the servers it applies to. */
  readonly state: EntryState;
  /** Whether to include files that were changed before, wherever they are. */
  readonly elsewhere: boolean;
  /** Throws if the flags do not match the servers found. */
  check?(servers: readonly StdioEntry[]): void;
  plan(file: SurveyedFile, entries: readonly StdioEntry[]): C;
  /** Writes a change; returns lines for the user. */
  apply(change: C, file: SurveyedFile, ledger: InstallLedger): Promise<readonly string[]>;
  /** Runs after everything is written; returns further lines for the user. */
  finish(changed: number, survey: InstallSurvey, ledger: InstallLedger): Promise<readonly string[]>;
}

interface PlannedChange<C extends ConfigChange> {
  readonly surveyed: SurveyedFile;
  readonly entries: readonly StdioEntry[];
  readonly change: C | undefined;
}

/**
 * Lists the servers, shows the changes or asks for confirmation, and applies them. Each file is changed completely or
 * not at all.
 */
export async function* changeConfiguration<C extends ConfigChange>(
  task: ConfigTask<C>,
  flags: InstallFlags,
  context: CommandEnvironment,
): CommandStep<number> {
  // The records show what is written into the configuration, so no one else may write them.
  requireOwnState(context.stateFolder, 'install');
  const ledger = new InstallLedger(context.stateFolder);
  const refusals = new ConfigRefusals();
  const survey = await surveyFor(flags, ledger, task.elsewhere, context);
  for (const { path, what } of survey.problems) yield refusals.add(path, what);
  const planned: PlannedChange<C>[] = [];
  for (const surveyed of survey.files) planned.push(yield* planFile(task, surveyed, refusals));
  const meant = planned.filter(({ change }) => change !== undefined);
  const servers = meant.flatMap(({ entries }) => entries);
  task.check?.(servers);

  if (!flags.json) yield* list(task, planned, flags.dryRun === true, context.platform);
  const answer = yield* isRequested(task, servers.length, meant.length, flags, context);
  const changed = answer === true ? yield* applyAll(task, planned, ledger, refusals) : 0;
  if (answer === true) for (const line of await task.finish(changed, survey, ledger)) yield { note: oneLine(line) };
  if (flags.json) {
    const files = planned.map(({ surveyed, entries, change }) => ({
      ...listingData(surveyed, change ? entries : []),
      ...(flags.dryRun && change && { diff: diff(change) }),
    }));
    yield `${JSON.stringify({ files, problems: refusals.reported, changed })}\n`;
  } else if (changed > 0) {
    yield `${task.verb === 'wrap' ? 'Wrapped' : 'Unwrapped'} ${countOf(changed, 'server')}\n`;
  }
  return refusals.reported.length > 0 || answer === undefined ? EXIT.failed : EXIT.done;
}

async function* planFile<C extends ConfigChange>(
  task: ConfigTask<C>,
  surveyed: SurveyedFile,
  refusals: ConfigRefusals,
): CommandStep<PlannedChange<C>> {
  const entries = entriesIn(surveyed, task.state);
  const change =
    entries.length === 0 ? undefined : yield* refusals.guard(surveyed.file.path, () => task.plan(surveyed, entries));
  return { surveyed, entries, change };
}

function* list<C extends ConfigChange>(
  { verb }: ConfigTask<C>,
  planned: readonly PlannedChange<C>[],
  withDiff: boolean,
  platform: string,
): Generator<OutputPart> {
  for (const { surveyed, entries, change } of planned) {
    yield `${listing(surveyed, change ? entries : [], verb === 'wrap' ? '+' : '-', platform)}\n`;
    if (withDiff && change) yield `${diff(change)}\n`;
  }
}

/** Whether the user agrees; `undefined` if there is no terminal to ask. */
async function* isRequested<C extends ConfigChange>(
  { verb }: ConfigTask<C>,
  servers: number,
  files: number,
  flags: InstallFlags,
  context: CommandEnvironment,
): CommandStep<boolean | undefined> {
  if (servers === 0) {
    yield { note: `No servers to ${verb}.` };
    return !flags.dryRun;
  }
  if (flags.dryRun) {
    const would = `${verb} ${countOf(servers, 'server')} in ${countOf(files, 'file')}`;
    yield { note: `Dry run: would ${would}.` };
    return false;
  }
  if (flags.yes || flags.json) return flags.yes === true;
  const question = `${verb === 'wrap' ? 'Wrap' : 'Unwrap'} ${countOf(servers, 'server')} in ${countOf(files, 'file')}?`;
  return yield* agrees(question, 'Nothing was changed', context);
}

async function* applyAll<C extends ConfigChange>(
  task: ConfigTask<C>,
  planned: readonly PlannedChange<C>[],
  ledger: InstallLedger,
  refusals: ConfigRefusals,
): CommandStep<number> {
  let changed = 0;
  for (const { surveyed, entries, change } of planned) {
    if (change === undefined) continue;
    const lines = yield* refusals.guard(surveyed.file.path, () => task.apply(change, surveyed, ledger));
    if (lines === undefined) continue;
    changed += entries.length;
    for (const line of lines) yield { note: oneLine(line) };
  }
  return changed;
}
