import { Command, Option } from 'commander';
import { givenFor, optionFor } from '../capture-flag-option.ts';
import { CAPTURE_FLAGS } from '../capture-flags.ts';
import type { Context } from '../context.ts';
import { examples } from '../examples.ts';
import { type MockFlags, runMock } from './mock-run.ts';
import { readingOptions } from './reading.ts';

/** The recorder's flags that say how clients reach a mock, and how it reaches a live server. */
const SHARED_FLAGS: ReadonlySet<string> = new Set([
  'listen-transport',
  'listen-port',
  'listen-host',
  'allow-remote',
  'token',
  'transport',
  'target-command',
  'target-url',
  'env',
  'cwd',
  'header',
  'ca',
  'insecure',
]);

export function mockCommand(context: Context): Command {
  const command = new Command('mock')
    .description('answer clients from a recording, as its server did')
    .argument('[session]', 'a file in any readable format, a session id, or - for standard input');
  for (const option of readingOptions()) command.addOption(option);
  const shared = CAPTURE_FLAGS.filter(({ name }) => SHARED_FLAGS.has(name)).map(optionFor);
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
    .action(async (session: string | undefined, flags: MockFlags) => {
      const values = Object.fromEntries(shared.map((option) => [option.name(), givenFor(option, command)]));
      process.exitCode = await runMock(session, flags, values, context);
    });
}

const LEVELS = ['strict', 'normal', 'loose'];
const MODES = ['once', 'new', 'none', 'all'];

function choice(flags: string, help: string, choices: readonly string[], usual: string): Option {
  return new Option(flags, help).choices(choices).default(usual);
}
