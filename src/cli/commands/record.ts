import { Command } from 'commander';
import { captureOptions, valuesOf } from '../capture-flag-option.ts';
import { captureOptionsFrom } from '../capture-options.ts';
import type { Context } from '../context.ts';
import { examples } from '../examples.ts';
import { OwnScreen, wantsScreen } from '../own-screen.ts';
import { runCapture } from '../run-capture.ts';

export function recordCommand(name: 'record' | 'start', context: Context): Command {
  const command = new Command(name)
    .description('stand between a client and its server, and record what they say')
    .argument('[server...]', 'the server’s command, after --');
  const options = captureOptions();
  for (const option of options) command.addOption(option);
  return command
    .addHelpText(
      'after',
      examples([
        'mcpreel record --session-file session.json -- node server.js',
        'mcpreel record --target-url https://example.com/mcp --header "Authorization: Bearer …"',
        'mcpreel record --listen-transport streamable-http -- node server.js',
        'mcpreel proxy start --transport stdio --target-command "python server.py" --session-file session.json',
        'mcpreel proxy start --transport streamable-http --target-url http://127.0.0.1:3000/mcp',
      ]),
    )
    .action(async (words: string[]) => {
      const values = valuesOf(options, command);
      const plan = captureOptionsFrom(values, words, process.stdin.isTTY);
      const hasScreen = wantsScreen(values, plan, process.stdin.isTTY === true && context.output.isTerminal);
      const screen = hasScreen ? new OwnScreen(context, plan) : undefined;
      process.exitCode = await runCapture(plan, context, { announces: true, screen });
    });
}
