import { Command, Option } from 'commander';
import { countOf, formatDate, formatSize } from '../../../present/figures.ts';
import { oneLine } from '../../../present/visible-text.ts';
import type { CommandStep, OutputPart } from '../../command-run.ts';
import type { CommandEnvironment } from '../../context.ts';
import { examples } from '../../examples.ts';
import { EXIT } from '../../exit-codes.ts';
import { usage } from '../../flags/flag-values.ts';
import { agrees } from '../../terminal/ask.ts';
import { type KnownSession, knownSessions } from './sessions-lookup.ts';
import { bytesOf, removeAll } from './sessions-remove.ts';

interface PruneFlags {
  readonly olderThan: number;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export function pruneCommand(context: CommandEnvironment): Command {
  return new Command('prune')
    .description('delete old sessions')
    .addOption(
      new Option('--older-than <age>', 'minimum age: 90s, 30m, 12h, 30d or 4w')
        .argParser(ageInMs)
        .makeOptionMandatory(),
    )
    .option('--dry-run', 'list the sessions without deleting them')
    .option('-y, --yes', 'delete without asking')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples(['mcpreel sessions prune --older-than 30d --dry-run', 'mcpreel sessions prune --older-than 4w --yes']),
    )
    .action((flags: PruneFlags) => context.execute(runPrune(flags, context)));
}

/** Removes sessions by the time of their last write. Running sessions are never removed. */
async function* runPrune(flags: PruneFlags, context: CommandEnvironment): CommandStep<number> {
  const beforeMs = Date.now() - flags.olderThan;
  const known = await knownSessions(context);
  const old = known.filter(({ live, modifiedAtMs }) => live === undefined && modifiedAtMs < beforeMs);
  if (flags.dryRun) {
    yield* describe(old, flags.json === true);
    return EXIT.done;
  }
  if (old.length === 0 && flags.json !== true) {
    yield 'No session is old enough\n';
    return EXIT.done;
  }
  const question = `Delete ${countOf(old.length, 'session')}, ${formatSize(bytesOf(old))}?`;
  const isAgreed = flags.yes || old.length === 0 || (yield* agrees(question, 'Nothing deleted', context));
  if (isAgreed) yield* removeAll(old, flags.json === true);
  return isAgreed === undefined ? EXIT.failed : EXIT.done;
}

function* describe(sessions: readonly KnownSession[], json: boolean): Generator<OutputPart> {
  if (json) {
    const ids = sessions.map(({ header }) => header.id);
    yield `${JSON.stringify({ would_remove: ids, bytes: bytesOf(sessions) })}\n`;
    return;
  }
  for (const { header, bytes } of sessions) {
    const facts = [header.id.slice(0, 8), formatDate(header.startedAtMs), formatSize(bytes), header.label];
    yield `${oneLine(facts.join('  '))}\n`;
  }
  yield `Would delete ${countOf(sessions.length, 'session')}, ${formatSize(bytesOf(sessions))}\n`;
}

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

function ageInMs(text: string): number {
  const [, number = '', unit = ''] = /^(\d{1,9})([smhdw])$/.exec(text) ?? [];
  const unitMs = UNIT_MS[unit];
  if (unitMs !== undefined) return Number(number) * unitMs;
  throw usage(`--older-than ${text || '""'} is not an age`, 'Use a number with s, m, h, d or w, like 30d.');
}
