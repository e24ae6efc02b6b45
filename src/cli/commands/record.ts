import { Command } from 'commander';
import type { CommandRun, CommandStep } from '../command-run.ts';
import type { CommandEnvironment } from '../context.ts';
import { examples } from '../examples.ts';
import { captureOptions, valuesOf } from '../flags/capture-flag-option.ts';
import type { CaptureFlagValues } from '../flags/capture-flags.ts';
import { type CapturePlan, captureOptionsFrom } from '../flags/capture-options.ts';
import { usage } from '../flags/flag-values.ts';
import { runCapture } from '../run-capture.ts';
import { OwnScreen, wantsScreen } from '../terminal/own-screen.ts';
import { deliver } from './shared/deliver.ts';

export function recordCommand(name: 'record' | 'start', context: CommandEnvironment): Command {
  const command = new Command(name)
    .description('proxy a server and record its traffic')
    .argument('[server...]', 'server command, after --')
    .usage(
      `[options] -- <server command…>\n       mcpreel ${name === 'start' ? 'proxy start' : name} [options] --target-url <url>`,
    );
  const options = captureOptions();
  for (const option of options) command.addOption(option);
  return command
    .addHelpText(
      'after',
      `
A trace is the recording as JSON Lines, written while the session runs.
A session file is the same as one JSON document, written at the end.`,
    )
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
    .action((words: string[]) => context.execute(runRecord(valuesOf(options, command), words, context)));
}

/** Returns a promise, because its notes come while the capture runs and stdout may carry the protocol. */
function runRecord(values: CaptureFlagValues, words: readonly string[], context: CommandEnvironment): CommandRun {
  const isTyped = context.stdin.isTTY === true;
  const plan = captureOptionsFrom(values, words, isTyped);
  const hasScreen = wantsScreen(values, plan, isTyped && context.terminal.isTerminal);
  if (plan.options.sessionFile === '-') {
    if (hasScreen) throw usage('--session-file - has no place beside the screen', 'Add --headless, or name a file.');
    return recordToStdout(plan, context);
  }
  const screen = hasScreen ? new OwnScreen(context, plan) : undefined;
  return runCapture(plan, context, { announces: true, screen });
}

/** Writes the session file to standard output when the session has ended. */
async function* recordToStdout(plan: CapturePlan, context: CommandEnvironment): CommandStep<number> {
  let tracePath: string | undefined;
  const withoutFile = { ...plan, options: { ...plan.options, sessionFile: undefined } } as CapturePlan;
  const onRecording = (path: string): void => {
    tracePath = path;
  };
  const status = await runCapture(withoutFile, context, { announces: true, onRecording });
  if (tracePath === undefined) return status;
  const { sessionFileOf } = await import('../../record/save-session-file.ts');
  yield* deliver(await sessionFileOf(tracePath), '-');
  return status;
}
