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
    .description(
      'send what the client of a session said to a server, and compare the answers; exit with 3 if they differ',
    )
    .argument(...SESSION)
    .argument('[server...]', 'the server’s command, after --');
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
    new Option('--output <file>', 'write the results as JSON'),
    new Option('--timeout <seconds>', 'how long an answer may take').argParser(timeoutFrom).default(10),
    new Option('--no-handshake', 'send no initialize, neither the recorded one nor another'),
    ...comparingOptions('such places, one a line; --learn adds to it'),
    new Option('--learn <n>', 'replay n times, and ignore what differs by itself').argParser((given) =>
      wholeNumber('learn', given, 2),
    ),
    new Option('--select <filter>', 'replay only the messages that match, like tool:search'),
    new Option('--speed <factor>', '0 as fast as it goes, 1 with the recorded pauses, 2 with half of them')
      .argParser((given) => decimal('speed', given, 'a number from 0 on', '2'))
      .default(0),
    new Option('--repeat <n>', 'replay n times').argParser((given) => wholeNumber('repeat', given, 1)),
    new Option('--update', 'accept the new answers into the session'),
    new Option('--record <file>', 'write the replay as a session file'),
    new Option('--report-only', 'exit with 0 whatever differs'),
    new Option('--junit <file>', 'write a report as JUnit XML, too'),
    new Option('--sarif <file>', 'write a report as SARIF 2.1.0, too'),
    new Option('--html <file>', 'write a page that compares the replay with the session, too'),
    new Option('--read-only', 'skip calls of tools that are not marked as read-only'),
    new Option('--dry-run', 'print what would be sent, and send nothing'),
    new Option('--on-server-request <how>', 'what the server is told that asks something new')
      .choices(['decline', 'error'])
      .default('decline'),
    new Option('--allow-redacted', 'send messages even if a part of them was redacted'),
  ];
}

function timeoutFrom(given: string): number {
  const seconds = secondsIn('timeout', given);
  if (seconds === 0) throw usage('--timeout 0 would wait for no answer', 'Give a number of seconds, like 10.');
  return seconds;
}
