import { Command, Option } from 'commander';
import type { CommandEnvironment } from '../../context.ts';
import { examples } from '../../examples.ts';
import { captureOptions, valuesOf } from '../../flags/capture-flag-option.ts';
import { LISTEN_FLAGS, TARGET_FLAGS } from '../../flags/capture-flags.ts';
import { readingOptions, SESSION } from '../shared/reading.ts';
import { type MockFlags, runMock } from './mock-run.ts';

export function mockCommand(context: CommandEnvironment): Command {
  const command = new Command('mock')
    .description('answer clients from a recording, as its server did')
    .argument(...SESSION);
  for (const option of readingOptions()) command.addOption(option);
  const shared = captureOptions([...LISTEN_FLAGS, ...TARGET_FLAGS]);
  for (const option of shared) command.addOption(option);
  return command
    .addOption(choice('--match <level>', 'how exactly requests must be the recorded ones', LEVELS, 'normal'))
    .addOption(
      choice('--exhausted <what>', 'when all recordings of a request were used', ['repeat', 'error'], 'repeat'),
    )
    .addOption(choice('--on-miss <what>', 'when a request was not recorded', ['error', 'forward'], 'error'))
    .addOption(
      new Option('--record-mode <mode>', 'what is asked of the live server, and added to the recording').choices(MODES),
    )
    .option('--timing <speed>', 'none: at once; recorded: as it was; N: so many times as fast', 'none')
    .option('--fail-on-miss', 'exit with 3 if a request had no answer')
    .addHelpText(
      'after',
      examples([
        'mcpreel mock session.json',
        'mcpreel mock session.json --listen-transport streamable-http --listen-port 3000',
        'mcpreel mock session.json --on-miss forward --target-command "node server.js"',
      ]),
    )
    .action((session: string | undefined, flags: MockFlags) =>
      context.execute(runMock(session, flags, valuesOf(shared, command), context)),
    );
}

const LEVELS = ['strict', 'normal', 'loose'];
const MODES = ['once', 'new', 'none', 'all'];

function choice(flags: string, help: string, choices: readonly string[], usual: string): Option {
  return new Option(flags, help).choices(choices).default(usual);
}
