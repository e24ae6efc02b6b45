import { Command } from 'commander';
import { diffSessions, type SessionDiff } from '../../../analysis/diff/diff.ts';
import { IgnoreRules } from '../../../analysis/diff/ignore-rules.ts';
import { gatherBytes } from '../../../files/gather-bytes.ts';
import type { CommandStep } from '../../command-run.ts';
import type { CommandEnvironment } from '../../context.ts';
import { examples } from '../../examples.ts';
import { EXIT } from '../../exit-codes.ts';
import { checkTargets } from '../shared/deliver.ts';
import { type ManyFlags, manyReadingOptions } from '../shared/many-sessions.ts';
import { refuseSecondInput, SESSION, withSession } from '../shared/reading.ts';
import { refuseSameFile } from '../shared/refuse-same-file.ts';
import { tableStyle } from '../shared/text-style.ts';
import { type ComparingFlags, comparingOptions, readIgnoreFile } from './comparing.ts';
import { writeDiffPage } from './diff-html.ts';
import { diffJson } from './diff-json.ts';
import { diffText } from './diff-text.ts';

interface DiffFlags extends ManyFlags, ComparingFlags {
  readonly exitCode?: boolean;
  readonly json?: boolean;
  readonly html?: string;
}

export function diffCommand(context: CommandEnvironment): Command {
  const command = new Command('diff')
    .description('compare two sessions: tools, calls and responses')
    .argument('<a>', `first session: ${SESSION[1]}`)
    .argument('<b>', 'second session');
  for (const option of comparingOptions('read paths to ignore from a file, one per line')) command.addOption(option);
  command
    .optionsGroup('Output:')
    .option('--exit-code', 'exit 3 if there is a difference')
    .option('--json', 'print JSON')
    .option('--html <file>', 'also write an HTML page with both sessions');
  for (const option of manyReadingOptions()) command.addOption(option);
  return command
    .addHelpText(
      'after',
      examples([
        'mcpreel diff v1.json v2.json',
        "mcpreel diff --exit-code --ignore 'tool:search $.result.took' v1.json v2.json",
      ]),
    )
    .action((a: string, b: string, flags: DiffFlags) => context.execute(runDiff(a, b, flags, context)));
}

async function* runDiff(a: string, b: string, flags: DiffFlags, context: CommandEnvironment): CommandStep<number> {
  refuseSecondInput([a, b]);
  await refuseSameFile([a, b], [flags.html], context);
  const fromFile = flags.ignoreFile === undefined ? [] : await readIgnoreFile(flags.ignoreFile);
  const rules = [...(flags.ignore ?? []), ...fromFile];
  const options = { profile: flags.compare, ignore: new IgnoreRules(rules) };
  const isPageOnly = await checkTargets({ '--html': flags.html });
  return yield* withSession(a, flags, context, (before) =>
    withSession(b, flags, context, async function* (after) {
      const diff = await diffSessions({ a: before, b: after }, options);
      const text = flags.json
        ? diffJson(diff, { a: before.header, b: after.header }, flags.compare)
        : [diffText(diff, { a, b }, tableStyle(context.terminal))];
      if (!isPageOnly) yield* gatherBytes(text);
      if (flags.html !== undefined) {
        const compared = { profile: flags.compare, rules };
        yield* writeDiffPage(flags.html, { a: before, b: after }, { a, b }, compared, context);
      }
      return flags.exitCode && hasDifferences(diff) ? EXIT.doesNotHold : EXIT.done;
    }),
  );
}

function hasDifferences({ contract, sequence, values }: SessionDiff): boolean {
  return contract.length + sequence.length + values.length > 0;
}
