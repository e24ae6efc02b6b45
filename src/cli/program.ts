import { Command, CommanderError } from 'commander';
import { baselineCommand } from './commands/baseline.ts';
import { checkCommand } from './commands/check.ts';
import { demoCommand } from './commands/demo.ts';
import { diffCommand } from './commands/diff.ts';
import { exportCommand } from './commands/export.ts';
import { holdCommand } from './commands/hold.ts';
import { importCommand, importMcpCommand } from './commands/import.ts';
import { inspectCommand } from './commands/inspect.ts';
import { installCommand, uninstallCommand } from './commands/install.ts';
import { mockCommand } from './commands/mock.ts';
import { recordCommand } from './commands/record.ts';
import { redactCommand } from './commands/redact.ts';
import { replayCommand } from './commands/replay.ts';
import { sessionsCommand } from './commands/sessions.ts';
import { statsCommand } from './commands/stats.ts';
import { tuiCommand } from './commands/tui.ts';
import { viewCommand } from './commands/view.ts';
import type { Context } from './context.ts';
import { EXIT } from './exit-codes.ts';
import { progressFor } from './show-progress.ts';

/** Runs the command that the arguments name, and returns the exit status. */
export async function runProgram(args: readonly string[], context: Context): Promise<number> {
  const progress = progressFor(context.output, process);
  const program = buildProgram({ ...context, progress });
  if (args.length === 0) {
    program.outputHelp();
    return EXIT.done;
  }
  try {
    await program.parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? EXIT.done);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    throw error;
  } finally {
    progress?.close();
  }
}

function buildProgram(context: Context): Command {
  const program = new Command('mcpreel')
    .description('Every MCP conversation on film: record, look at and convert what clients and servers say.')
    .version(__MCPREEL_VERSION__, '-V, --version', 'print the version')
    .usage('[options] -- <server command…>\n       mcpreel <command> [options]')
    .addHelpText(
      'after',
      '\nExamples:\n  $ mcpreel -- npx -y @modelcontextprotocol/server-everything\n  $ mcpreel inspect session.json',
    );
  const proxy = new Command('proxy')
    .description('the same commands by another name')
    .addCommand(recordCommand('start', context))
    .addCommand(replayCommand(context))
    .addCommand(inspectCommand(context))
    .addCommand(exportCommand(context));
  const trace = new Command('trace').description('import by another name').addCommand(importMcpCommand(context));
  program
    .addCommand(recordCommand('record', context))
    .addCommand(replayCommand(context))
    .addCommand(inspectCommand(context))
    .addCommand(diffCommand(context))
    .addCommand(exportCommand(context))
    .addCommand(importCommand(context))
    .addCommand(redactCommand(context))
    .addCommand(sessionsCommand(context))
    .addCommand(viewCommand(context))
    .addCommand(tuiCommand(context))
    .addCommand(holdCommand(context))
    .addCommand(mockCommand(context))
    .addCommand(statsCommand(context))
    .addCommand(checkCommand(context))
    .addCommand(baselineCommand(context))
    .addCommand(installCommand(context))
    .addCommand(uninstallCommand(context))
    .addCommand(demoCommand(context))
    .addCommand(proxy)
    .addCommand(trace);
  everyCommand(program, (command) => speakLikeUs(command, context));
  return program;
}

function everyCommand(command: Command, change: (command: Command) => void): void {
  change(command);
  for (const child of command.commands) everyCommand(child, change);
}

/** Errors are one line that begins with `Error:`, and leaving is for `main` alone. */
function speakLikeUs(command: Command, { output }: Context): void {
  command.exitOverride().configureOutput({
    outputError: (text) => {
      const line = text.trim().replaceAll(/\s*\n\s*/g, ' ');
      output.note(line.replace(/^error: (.)/, (_, first: string) => `Error: ${first.toUpperCase()}`));
    },
  });
}
