import { Command, Option } from 'commander';
import { CAPTURE_FLAGS, captureOptionsFrom } from '../capture-flags.ts';
import type { Context } from '../context.ts';
import { runCapture } from '../run-capture.ts';

export function recordCommand(name: 'record' | 'start', context: Context): Command {
  const command = new Command(name)
    .description('run a server between a client and itself, and record what they say')
    .argument('[server...]', 'the server’s command, after --');
  for (const { name: flag, value, repeats, help } of CAPTURE_FLAGS) {
    const option = new Option(`--${flag} <${value}>`, help);
    if (repeats) option.argParser((given: string, before: string[] | undefined) => [...(before ?? []), given]);
    command.addOption(option);
  }
  return command
    .addHelpText(
      'after',
      '\nExamples:\n  $ mcpreel record --session-file session.json -- node server.js\n' +
        '  $ mcpreel proxy start --transport stdio --target-command "python server.py" --session-file session.json',
    )
    .action(async (words: string[]) => {
      const values = Object.fromEntries(
        CAPTURE_FLAGS.map(({ name: flag }) => [flag, command.getOptionValue(camel(flag))]),
      );
      process.exitCode = await runCapture(captureOptionsFrom(values, words), context, { announces: true });
    });
}

function camel(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
