import { Command } from 'commander';
import { StatsRollUp } from '../../../analysis/stats/roll-up.ts';
import { ReelError } from '../../../model/errors.ts';
import type { CommandStep } from '../../command-run.ts';
import type { CommandEnvironment } from '../../context.ts';
import { examples } from '../../examples.ts';
import { EXIT } from '../../exit-codes.ts';
import { feed } from '../inspect/inspect-stats.ts';
import { knownSessions } from '../sessions/sessions-lookup.ts';
import { type ManyFlags, manyReadingOptions, throughSessions } from '../shared/many-sessions.ts';
import { SESSIONS_HELP } from '../shared/reading.ts';
import { tableStyle } from '../shared/text-style.ts';
import { rolledUpData } from './stats-data.ts';
import { rolledUpText } from './stats-text.ts';

interface StatsFlags extends ManyFlags {
  readonly json?: boolean;
}

export function statsCommand(context: CommandEnvironment): Command {
  const command = new Command('stats')
    .description('add up the calls of many sessions by server, day and tool')
    .argument('[sessions...]', `${SESSIONS_HELP} (default: all recorded sessions)`)
    .optionsGroup('Output:')
    .option('--json', 'print JSON');
  for (const option of manyReadingOptions()) command.addOption(option);
  return command
    .addHelpText('after', examples(['mcpreel stats', 'mcpreel stats recordings/*.json --json']))
    .action((references: readonly string[], flags: StatsFlags) =>
      context.execute(runStats(references, flags, context)),
    );
}

async function* runStats(
  references: readonly string[],
  flags: StatsFlags,
  context: CommandEnvironment,
): CommandStep<number> {
  const given = references.length > 0 ? references : await recordedSessions(context);
  if (given.length === 0) {
    throw new ReelError('session-not-found', 'No recordings yet', { hint: 'Pass a file or a session id.' });
  }
  const rollUp = new StatsRollUp();
  const { skipped, problems } = yield* throughSessions(given, flags, context, async (session) => {
    const server = session.header.label;
    await feed(session, rollUp.begin({ server, hasTimes: session.numbersTimes !== true }));
  });
  if (skipped.length === given.length) return EXIT.failed;
  const result = rollUp.result();
  yield flags.json
    ? `${JSON.stringify({ ...rolledUpData(result), skipped, problems })}\n`
    : rolledUpText(result, tableStyle(context.terminal));
  return EXIT.done;
}

/** The traces of all sessions in the state folder, oldest first. */
async function recordedSessions(context: CommandEnvironment): Promise<string[]> {
  const known = await knownSessions(context);
  return known.flatMap(({ files }) => files[0]?.path ?? []).reverse();
}
