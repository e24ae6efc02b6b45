import { Command, Option } from 'commander';
import type { CommandEnvironment } from '../../context.ts';
import { examples } from '../../examples.ts';
import { captureOptions, valuesOf } from '../../flags/capture-flag-option.ts';
import { TARGET_FLAGS } from '../../flags/capture-flags.ts';
import { decimal, secondsIn, usage, wholeNumber } from '../../flags/flag-values.ts';
import { comparingOptions } from '../diff/comparing.ts';
import { readingOptions, SESSION } from '../shared/reading.ts';
import type { ReplayFlags } from './replay-flags.ts';

export function replayCommand(context: CommandEnvironment): Command {
  const command = new Command('replay')
    .description('send a session to a server, compare responses (exit 3 on change)')
    .argument(...SESSION)
    .argument('[server...]', 'server command, after --')
    .usage('[options] [session] -- <server command…>');
  const target = captureOptions(TARGET_FLAGS);
  for (const option of [...replayOptions(), ...target, ...readingOptions()]) command.addOption(option);
  return command
    .addHelpText(
      'after',
      examples([
        'mcpreel replay session.json -- node server.js',
        'mcpreel replay session.json --target-url http://127.0.0.1:3000/mcp --output results.json',
        'mcpreel replay session.json --learn 3 --ignore-file ignore.txt -- node server.js',
        'mcpreel proxy replay --session-file session.json --target-command "python server.py" --timeout 10',
        'mcpreel proxy replay --session-file session.json --target-url http://127.0.0.1:3000/mcp --output results.json',
      ]),
    )
    .action(async (session: string | undefined, server: readonly string[], flags: ReplayFlags) => {
      const { runReplay } = await import('./replay-run.ts');
      // With --session-file, every word belongs to the server command.
      const named = flags.sessionFile === undefined || session === undefined ? undefined : [session, ...server];
      const reached = { values: valuesOf(target, command), words: named ?? server };
      await context.execute(runReplay(named === undefined ? session : undefined, reached, flags, context));
    });
}

function replayOptions(): Option[] {
  return [
    ...grouped('Replay:', [
      new Option('--timeout <seconds>', 'how long to wait for each response').argParser(timeoutFrom).default(10),
      new Option('--no-handshake', 'do not send initialize'),
      new Option('--select <filter>', 'replay only matching messages, like tool:search'),
      new Option('--speed <factor>', '1 = original timing, 2 = twice as fast, 0 = no delays')
        .argParser((given) => decimal('speed', given, 'a number of at least 0', '2'))
        .default(0),
      new Option('--repeat <n>', 'replay n times').argParser((given) => wholeNumber('repeat', given, 1)),
      new Option('--read-only', 'skip calls of tools that are not marked read-only'),
      new Option('--dry-run', 'print the messages without sending them'),
      new Option('--on-server-request <how>', 'how to answer server requests that are not in the recording')
        .choices(['decline', 'error'])
        .default('decline'),
      new Option('--allow-redacted', 'send messages with redacted parts, too'),
    ]),
    ...comparingOptions('read paths to ignore from a file, one per line; --learn adds to it'),
    ...grouped('Comparison:', [
      new Option('--learn <n>', 'replay n times and ignore values that differ between runs').argParser((given) =>
        wholeNumber('learn', given, 2),
      ),
      new Option('--update', 'write the new responses into the session'),
    ]),
    ...grouped('Results:', [
      new Option('--output <file>', 'write the results as JSON'),
      new Option('--record <file>', 'write the replay as a session file'),
      new Option('--report-only', 'exit 0 even if responses differ'),
      new Option('--junit <file>', 'also write a JUnit report'),
      new Option('--sarif <file>', 'also write a SARIF 2.1.0 report'),
      new Option('--html <file>', 'also write an HTML page that compares both'),
    ]),
  ];
}

function grouped(heading: string, options: readonly Option[]): Option[] {
  return options.map((option) => option.helpGroup(heading));
}

function timeoutFrom(given: string): number {
  const seconds = secondsIn('timeout', given);
  if (seconds === 0) throw usage('--timeout must be more than 0', 'Give a number of seconds, like 10.');
  return seconds;
}
