import { Command, InvalidArgumentError, Option } from 'commander';
import { ask } from '../ask.ts';
import type { Context } from '../context.ts';
import { examples } from '../examples.ts';
import { oneLine } from '../output.ts';
import { countOf } from './counting.ts';
import { bytesText, localTime } from './sessions-facts.ts';
import { type KnownSession, knownSessions } from './sessions-lookup.ts';
import { bytesOf, removeAll } from './sessions-remove.ts';

interface PruneFlags {
  readonly olderThan: number;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export function pruneCommand(context: Context): Command {
  return new Command('prune')
    .description('remove the sessions that ended long ago')
    .addOption(
      new Option('--older-than <age>', 'how long ago: 90s, 30m, 12h, 30d or 4w')
        .argParser(ageInMs)
        .makeOptionMandatory(),
    )
    .option('--dry-run', 'only list what would be removed')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      examples(['mcpreel sessions prune --older-than 30d --dry-run', 'mcpreel sessions prune --older-than 4w --yes']),
    )
    .action((flags: PruneFlags) => runPrune(flags, context));
}

/** By when they were last written to. Those that still run are never removed. */
async function runPrune(flags: PruneFlags, context: Context): Promise<void> {
  const { output } = context;
  const beforeMs = Date.now() - flags.olderThan;
  const known = await knownSessions(context);
  const old = known.filter(({ live, modifiedAtMs }) => live === undefined && modifiedAtMs < beforeMs);
  if (flags.dryRun) await describe(old, flags.json === true, context);
  else if (flags.yes || old.length === 0 || (await confirms(old, context))) {
    await removeAll(old, flags.json === true, context);
  } else {
    output.note('Nothing was removed.');
  }
}

async function describe(sessions: readonly KnownSession[], json: boolean, { output }: Context): Promise<void> {
  if (json) {
    const ids = sessions.map(({ header }) => header.id);
    await output.line(JSON.stringify({ would_remove: ids, bytes: bytesOf(sessions) }));
    return;
  }
  for (const { header, bytes } of sessions) {
    const facts = [header.id.slice(0, 8), localTime(header.startedAtMs), bytesText(bytes), header.label];
    await output.line(oneLine(facts.join('  ')));
  }
  await output.line(`Would remove ${countOf(sessions.length, 'session')}, ${bytesText(bytesOf(sessions))}`);
}

/** Where there is no terminal to ask at, the command itself is the answer. */
async function confirms(sessions: readonly KnownSession[], context: Context): Promise<boolean> {
  const question = `Remove ${countOf(sessions.length, 'session')}, ${bytesText(bytesOf(sessions))}?`;
  return (await ask(question, context)) ?? true;
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
  if (unitMs === undefined) throw new InvalidArgumentError('It must be a number with s, m, h, d or w, as in 30d.');
  return Number(number) * unitMs;
}
