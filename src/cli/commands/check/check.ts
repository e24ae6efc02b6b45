import { Command, Option } from 'commander';
import type { CommandStep } from '../../command-run.ts';
import type { CommandEnvironment } from '../../context.ts';
import { examples } from '../../examples.ts';
import { EXIT } from '../../exit-codes.ts';
import { decimal, unknownValue } from '../../flags/flag-values.ts';
import { gather } from '../../flags/repeated.ts';
import { checkTargets, deliver, onStderr } from '../shared/deliver.ts';
import { type ManyFlags, manyReadingOptions, throughSessions } from '../shared/many-sessions.ts';
import { SESSIONS_HELP } from '../shared/reading.ts';
import { refuseSameFile } from '../shared/refuse-same-file.ts';
import { checkBaseline } from './check-baseline.ts';
import { CheckExpectations } from './check-expectations.ts';
import type { CheckFinding } from './check-finding.ts';
import { ALL_GROUPS, DEFAULT_GROUPS, type FindingGroup, GROUPS, isGroup } from './check-groups.ts';
import { checkOutput } from './check-output.ts';
import { type CheckedFile, type CheckResult, checkJunit, checkSarif } from './check-reports.ts';
import type { SessionCheck } from './check-session.ts';

interface CheckFlags extends ManyFlags {
  readonly failOn?: readonly FindingGroup[];
  readonly expectTool?: readonly string[];
  readonly forbidTool?: readonly string[];
  readonly maxDuration?: number;
  readonly baseline?: string | false;
  readonly junit?: string;
  readonly sarif?: string;
  readonly allowEmpty?: boolean;
  readonly json?: boolean;
}

export function checkCommand(context: CommandEnvironment): Command {
  const command = new Command('check')
    .description('check sessions for problems (exit 3 if any)')
    .argument('<sessions...>', SESSIONS_HELP)
    .optionsGroup('Checks:')
    .addOption(
      new Option(
        '--fail-on <groups>',
        'groups of problems to look for, listed below (default: all but error)',
      ).argParser(groupsFrom),
    )
    .option('--expect-tool <tool>', 'require a call of this tool (repeatable)', gather)
    .option('--forbid-tool <tool>', 'forbid calls of this tool (repeatable)', gather)
    .option('--max-duration <ms>', 'report calls that took longer', (given) =>
      decimal('max-duration', given, 'a number of milliseconds', '500'),
    )
    .option('--baseline <file>', 'compare tools with this baseline (default: the one in the state folder)')
    .option('--no-baseline', 'do not compare tools with a baseline')
    .option('--allow-empty', 'accept sessions without messages')
    .optionsGroup('Output:')
    .option('--junit <file>', 'also write a JUnit report')
    .option('--sarif <file>', 'also write a SARIF 2.1.0 report')
    .option('--json', 'print JSON Lines: one finding per line, then a summary');
  for (const option of manyReadingOptions()) command.addOption(option);
  return command
    .addHelpText('after', `\nGroups for --fail-on:\n${groupsHelp()}`)
    .addHelpText(
      'after',
      examples([
        'mcpreel check session.json',
        'mcpreel check recordings/*.json --fail-on pending,schema --junit report.xml',
      ]),
    )
    .action((references: readonly string[], flags: CheckFlags) =>
      context.execute(runCheck(references, flags, context)),
    );
}

function groupsHelp(): string {
  const width = Math.max(...ALL_GROUPS.map(({ length }) => length)) + 2;
  return ALL_GROUPS.map((group) => `  ${group.padEnd(width)}${GROUPS[group]}`).join('\n');
}

function groupsFrom(text: string): FindingGroup[] {
  return text.split(',').map((part) => {
    const word = part.trim();
    if (!isGroup(word)) throw unknownValue('--fail-on', word, ALL_GROUPS);
    return word;
  });
}

async function* runCheck(
  references: readonly string[],
  flags: CheckFlags,
  context: CommandEnvironment,
): CommandStep<number> {
  await refuseSameFile(references, [flags.junit, flags.sarif], context);
  const { junit, sarif } = flags;
  const isReportOnly = await checkTargets({ '--junit': junit, '--sarif': sarif });
  const checking = checkAll(references, flags, context);
  const { result, exitCode } = yield* isReportOnly ? onStderr(checking) : checking;
  if (junit !== undefined) yield* deliver([checkJunit(result)], junit);
  if (sarif !== undefined) yield* deliver([checkSarif(result, __MCPREEL_VERSION__)], sarif);
  return exitCode;
}

/** Checks the recordings and prints the findings. */
async function* checkAll(
  references: readonly string[],
  flags: CheckFlags,
  context: CommandEnvironment,
): CommandStep<{ readonly result: CheckResult; readonly exitCode: number }> {
  // The schema validator is loaded only by the commands that need it.
  const { lookThrough } = await import('./check-session.ts');
  const groups = groupsOf(flags);
  const expectations = new CheckExpectations({
    expectTool: flags.expectTool ?? [],
    forbidTool: flags.forbidTool ?? [],
    maxDurationMs: flags.maxDuration,
  });
  const lookout: SessionCheck = {
    groups,
    expectations,
    allowEmpty: flags.allowEmpty === true,
    acceptedFor: await checkBaseline(groups, flags.baseline, context),
  };
  const report = checkOutput(flags.json === true, context);
  const files: CheckedFile[] = [];
  const { skipped, damaged, problems } = yield* throughSessions(
    references,
    flags,
    context,
    async function* (session, file) {
      try {
        files.push(yield* lookThrough(session, file, lookout, (finding) => report.finding(finding, file)));
      } finally {
        yield* report.endOfFile(file);
      }
    },
  );
  // If no session was checked, expected tools cannot be judged.
  const expected = files.length === 0 ? [] : expectations.tools();
  for (const { missing } of expected) if (missing !== undefined) yield* report.finding(missing);
  const result: CheckResult = {
    lookedFor: lookedFor(groups, flags),
    files: [
      ...files.map((checked) => ({ ...checked, damage: damaged.find(({ file }) => file === checked.file)?.reason })),
      ...skipped.map(({ file, reason }) => unread(file, reason)),
    ],
    expected,
  };
  const byGroup = countByGroup(result);
  yield* report.end({ sessions: files.length, byGroup, skipped, damaged, problems });
  // A file that could not be checked, or not all of it, must not pass.
  const isUnread = skipped.length + damaged.length > 0;
  return { result, exitCode: isUnread ? EXIT.failed : byGroup.size > 0 ? EXIT.doesNotHold : EXIT.done };
}

function unread(file: string, reason: string): CheckedFile {
  return { file, atMs: 0, findings: [], byGroup: new Map(), unreadable: reason };
}

/** Naming a baseline file enables the `drift` group, whatever `--fail-on` says. */
function groupsOf({ failOn = DEFAULT_GROUPS, baseline }: CheckFlags): ReadonlySet<FindingGroup> {
  return new Set(typeof baseline === 'string' ? [...failOn, 'drift'] : failOn);
}

function lookedFor(
  groups: ReadonlySet<FindingGroup>,
  { forbidTool, maxDuration }: CheckFlags,
): CheckFinding['group'][] {
  return [
    ...ALL_GROUPS.filter((group) => groups.has(group)),
    ...(forbidTool === undefined ? [] : (['forbid-tool'] as const)),
    ...(maxDuration === undefined ? [] : (['max-duration'] as const)),
  ];
}

function countByGroup({ files, expected }: CheckResult): Map<CheckFinding['group'], number> {
  const counts = new Map<CheckFinding['group'], number>();
  const add = (group: CheckFinding['group'], count: number): unknown =>
    counts.set(group, (counts.get(group) ?? 0) + count);
  for (const { byGroup } of files) for (const [group, count] of byGroup) add(group, count);
  for (const { missing } of expected) if (missing !== undefined) add(missing.group, 1);
  return counts;
}
