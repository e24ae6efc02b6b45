import { Command, CommanderError } from 'commander';
import type { Context } from './context.ts';
import { EXIT } from './exit-codes.ts';
import { progressFor } from './show-progress.ts';

type MakeCommand = (context: Context) => Promise<Command>;

/** The commands, in the order in which they are told of. Each is loaded when it is run: all together take a while. */
const COMMANDS: ReadonlyMap<string, MakeCommand> = new Map<string, MakeCommand>([
  ['record', async (context) => (await import('./commands/record.ts')).recordCommand('record', context)],
  ['replay', async (context) => (await import('./commands/replay.ts')).replayCommand(context)],
  ['inspect', async (context) => (await import('./commands/inspect.ts')).inspectCommand(context)],
  ['diff', async (context) => (await import('./commands/diff.ts')).diffCommand(context)],
  ['export', async (context) => (await import('./commands/export.ts')).exportCommand(context)],
  ['import', async (context) => (await import('./commands/import.ts')).importCommand(context)],
  ['redact', async (context) => (await import('./commands/redact.ts')).redactCommand(context)],
  ['sessions', async (context) => (await import('./commands/sessions.ts')).sessionsCommand(context)],
  ['view', async (context) => (await import('./commands/view.ts')).viewCommand(context)],
  ['tui', async (context) => (await import('./commands/tui.ts')).tuiCommand(context)],
  ['hold', async (context) => (await import('./commands/hold.ts')).holdCommand(context)],
  ['mock', async (context) => (await import('./commands/mock.ts')).mockCommand(context)],
  ['stats', async (context) => (await import('./commands/stats.ts')).statsCommand(context)],
  ['check', async (context) => (await import('./commands/check.ts')).checkCommand(context)],
  ['baseline', async (context) => (await import('./commands/baseline.ts')).baselineCommand(context)],
  ['install', async (context) => (await import('./commands/install.ts')).installCommand(context)],
  ['uninstall', async (context) => (await import('./commands/install.ts')).uninstallCommand(context)],
  ['demo', async (context) => (await import('./commands/demo.ts')).demoCommand(context)],
  ['proxy', makeProxy],
  ['trace', makeTrace],
]);

async function makeProxy(context: Context): Promise<Command> {
  const [{ recordCommand }, { replayCommand }, { inspectCommand }, { exportCommand }] = await Promise.all([
    import('./commands/record.ts'),
    import('./commands/replay.ts'),
    import('./commands/inspect.ts'),
    import('./commands/export.ts'),
  ]);
  return new Command('proxy')
    .description('the same commands by another name')
    .addCommand(recordCommand('start', context))
    .addCommand(replayCommand(context))
    .addCommand(inspectCommand(context))
    .addCommand(exportCommand(context));
}

async function makeTrace(context: Context): Promise<Command> {
  const { importMcpCommand } = await import('./commands/import.ts');
  return new Command('trace').description('import by another name').addCommand(importMcpCommand(context));
}

/** Runs the command that the arguments name, and returns the exit status. */
export async function runProgram(args: readonly string[], context: Context): Promise<number> {
  const progress = progressFor(context.output, process);
  const program = await buildProgram(args, { ...context, progress });
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

async function buildProgram(args: readonly string[], context: Context): Promise<Command> {
  const program = new Command('mcpreel')
    .description('Every MCP conversation on film: record, look at and convert what clients and servers say.')
    .version(__MCPREEL_VERSION__, '-V, --version', 'print the version')
    .usage('[options] -- <server command…>\n       mcpreel <command> [options]')
    .addHelpText(
      'after',
      '\nExamples:\n  $ mcpreel -- npx -y @modelcontextprotocol/server-everything\n  $ mcpreel inspect session.json',
    );
  const [name = ''] = args;
  const wanted = COMMANDS.get(name);
  // Who asks for help, or for what there is not, has to hear of all of them.
  const makers = wanted === undefined ? [...COMMANDS.values()] : [wanted];
  for (const command of await Promise.all(makers.map((make) => make(context)))) program.addCommand(command);
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
