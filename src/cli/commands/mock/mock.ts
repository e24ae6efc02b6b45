import { Command, Option } from 'commander';
import type { CommandEnvironment } from '../../context.ts';
import { examples } from '../../examples.ts';
import { captureOptions, valuesOf } from '../../flags/capture-flag-option.ts';
import { LISTEN_FLAGS, TARGET_FLAGS } from '../../flags/capture-flags.ts';
import { readingOptions, SESSION } from '../shared/reading.ts';
import { type MockFlags, runMock } from './mock-run.ts';

export function mockCommand(context: CommandEnvironment): Command {
  const command = new Command('mock').description('answer clients from a session').argument(...SESSION);
  const shared = captureOptions([...LISTEN_FLAGS, ...TARGET_FLAGS]);
  command
    .optionsGroup('Responses:')
    .addOption(choice('--match <level>', 'how exactly a request must match', LEVELS, 'normal'))
    .addOption(
      choice('--exhausted <what>', 'what to do when all recorded responses were used', ['repeat', 'error'], 'repeat'),
    )
    .addOption(
      choice('--on-miss <what>', 'what to do with a request that was not recorded', ['error', 'forward'], 'error'),
    )
    .addOption(
      new Option('--record-mode <mode>', 'what to record from the live server')
        .choices(MODES)
        .default(undefined, 'new, or none if CI is true'),
    )
    .option('--timing <speed>', 'none, recorded, or N for N times as fast', 'none')
    .option('--fail-on-miss', 'exit 3 if a request was not recorded');
  for (const option of [...shared, ...readingOptions()]) command.addOption(option);
  return command
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
