import { Command, CommanderError } from 'commander';
import type { CommandRun } from './command-run.ts';
import { configureCommand } from './configure-command.ts';
import type { CommandContext, CommandEnvironment } from './context.ts';
import { examples } from './examples.ts';
import { EXIT } from './exit-codes.ts';
import type { CommandOutput } from './output.ts';
import { printRun } from './print-run.ts';
import { type ProgressProcess, progressFor } from './terminal/show-progress.ts';

/** `subcommand` is the only one that is needed, if it exists. */
type MakeCommand = (context: CommandEnvironment, subcommand?: string) => Promise<Command>;

/** The commands in the order of the help. Each is loaded when it runs, because loading all of them takes a while. */
const COMMANDS: ReadonlyMap<string, MakeCommand> = new Map<string, MakeCommand>([
  ['record', async (context) => (await import('./commands/record.ts')).recordCommand('record', context)],
  ['install', async (context) => (await import('./commands/install/install.ts')).installCommand(context)],
  ['uninstall', async (context) => (await import('./commands/install/install.ts')).uninstallCommand(context)],
  ['sessions', async (context) => (await import('./commands/sessions/sessions.ts')).sessionsCommand(context)],
  ['inspect', async (context) => (await import('./commands/inspect/inspect.ts')).inspectCommand(context)],
  ['view', async (context) => (await import('./commands/view/view.ts')).viewCommand(context)],
  ['tui', async (context) => (await import('./commands/tui/tui.ts')).tuiCommand(context)],
  ['stats', async (context) => (await import('./commands/stats/stats.ts')).statsCommand(context)],
  ['diff', async (context) => (await import('./commands/diff/diff.ts')).diffCommand(context)],
  ['hold', async (context) => (await import('./commands/hold/hold.ts')).holdCommand(context)],
  ['redact', async (context) => (await import('./commands/redact.ts')).redactCommand(context)],
  ['export', async (context) => (await import('./commands/export/export.ts')).exportCommand(context)],
  ['import', async (context) => (await import('./commands/import/import.ts')).importCommand(context)],
  ['check', async (context) => (await import('./commands/check/check.ts')).checkCommand(context)],
  ['baseline', async (context) => (await import('./commands/baseline/baseline.ts')).baselineCommand(context)],
  ['replay', async (context) => (await import('./commands/replay/replay.ts')).replayCommand(context)],
  ['mock', async (context) => (await import('./commands/mock/mock.ts')).mockCommand(context)],
  ['demo', async (context) => (await import('./commands/demo.ts')).demoCommand(context)],
  ['doctor', async (context) => (await import('./commands/doctor/doctor.ts')).doctorCommand(context)],
  ['completion', makeCompletion],
  ['proxy', makeProxy],
  ['trace', makeTrace],
]);

/** The headings of the commands in the help. The rest is under `Other:`. */
const HEADINGS: Readonly<Record<string, readonly string[]>> = {
  'Record:': ['record', 'install', 'uninstall', 'sessions'],
  'Look:': ['inspect', 'view', 'tui', 'stats', 'diff'],
  'Change:': ['hold', 'redact', 'export', 'import'],
  'Test:': ['check', 'baseline', 'replay', 'mock'],
};

/** Runs the command that the arguments name, prints its output and returns the exit status. */
export async function runProgram(
  args: readonly string[],
  context: CommandContext,
  output: CommandOutput,
  own: ProgressProcess | undefined,
): Promise<number> {
  let status: number = EXIT.done;
  const progress = own && progressFor(output, own);
  const execute = async (run: CommandRun): Promise<void> => {
    status = (await printRun(run, output)) ?? EXIT.done;
  };
  if (isVersionInDetail(args)) {
    const { node, platform, arch } = context;
    output.print(`mcpreel ${__MCPREEL_VERSION__} (Node ${node.version}, ${platform} ${arch})\n`);
    await output.flushed();
    return EXIT.done;
  }
  const whole: CommandEnvironment = { ...context, progress, execute };
  const requested = COMMANDS.get(args[0] ?? '');
  const needed = requested === undefined ? [] : [(environment: CommandEnvironment) => requested(environment, args[1])];
  // Help and unknown commands need the full command list.
  const program = await (requested || isVersion(args) ? programWith(needed, whole) : wholeProgram(whole));
  try {
    const failure = await parsed(program, args);
    await output.flushed();
    return failure ?? status;
  } finally {
    progress?.close();
  }
}

function isVersion([first = '', ...more]: readonly string[]): boolean {
  return more.length === 0 && (first === '--version' || first === '-V');
}

/**
 * Whether these are the arguments of `mcpreel --version -v`, in either order. Alone, `-v` is not a flag of the program.
 */
function isVersionInDetail(args: readonly string[]): boolean {
  const [first = '', second = ''] = [...args].sort();
  if (args.length === 1) return first === '-Vv' || first === '-vV';
  return args.length === 2 && ['--version', '-V'].includes(first) && second === '-v';
}

/** Runs the command that the arguments name; resolves with the exit status if they are invalid. */
async function parsed(program: Command, args: readonly string[]): Promise<number | undefined> {
  if (args.length === 0) {
    program.outputHelp();
    return undefined;
  }
  const [first, topic] = args;
  // The library would print the whole help for an unknown command.
  const isUnknown = first === 'help' && topic !== undefined && topic !== 'help' && !COMMANDS.has(topic);
  if (isUnknown) return parsed(program, args.slice(1));
  try {
    await program.parseAsync(args, { from: 'user' });
    return undefined;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    throw error;
  }
}

export function wholeProgram(context: CommandEnvironment): Promise<Command> {
  return programWith([...COMMANDS.values()], context);
}

async function programWith(makers: readonly MakeCommand[], context: CommandEnvironment): Promise<Command> {
  const program = new Command('mcpreel')
    .description('Record, inspect, edit and replay the traffic between any MCP client and server.')
    .commandsGroup('Other:')
    .helpCommand(true)
    .version(__MCPREEL_VERSION__, '-V, --version', 'output the version number; with -v also Node and platform')
    .usage('[options] -- <server command…>\n       mcpreel <command> [options]')
    .addHelpText('after', '\nOptions before -- are those of mcpreel record.')
    .addHelpText(
      'after',
      examples([
        'mcpreel -- npx -y @modelcontextprotocol/server-everything',
        'mcpreel --session-file session.json -- node server.js',
        'mcpreel inspect session.json',
      ]),
    );
  for (const command of await Promise.all(makers.map((make) => make(context)))) {
    const [heading = ''] = Object.entries(HEADINGS).find(([, names]) => names.includes(command.name())) ?? [];
    program.addCommand(command.helpGroup(heading));
  }
  configureCommand(program, context.direct);
  return program;
}

async function makeCompletion(context: CommandEnvironment): Promise<Command> {
  const { completionCommand } = await import('./commands/completion/completion.ts');
  return completionCommand(() => wholeProgram(context), context);
}

const PROXY_COMMANDS: ReadonlyMap<string, MakeCommand> = new Map<string, MakeCommand>([
  ['start', async (context) => (await import('./commands/record.ts')).recordCommand('start', context)],
  ...(['replay', 'inspect', 'export'] as const).map((name) => [name, COMMANDS.get(name) as MakeCommand] as const),
]);

async function makeProxy(context: CommandEnvironment, subcommand = ''): Promise<Command> {
  const requested = PROXY_COMMANDS.get(subcommand);
  const makers = requested === undefined ? [...PROXY_COMMANDS.values()] : [requested];
  const command = new Command('proxy').description('older names of record, replay, inspect and export');
  for (const made of await Promise.all(makers.map((make) => make(context)))) command.addCommand(made);
  return command.addHelpText(
    'after',
    examples([
      'mcpreel proxy start --transport stdio --target-command "python server.py" --session-file session.json',
      'mcpreel proxy inspect --session-file session.json',
    ]),
  );
}

async function makeTrace(context: CommandEnvironment): Promise<Command> {
  const { importMcpCommand } = await import('./commands/import/import.ts');
  return new Command('trace')
    .description('alias for import')
    .addCommand(importMcpCommand(context))
    .addHelpText(
      'after',
      examples([
        'mcpreel trace import-mcp --input session.json --format inspector --out-trace out.jsonl',
        'mcpreel trace import-mcp --input - --out-trace out.jsonl < messages.jsonl',
      ]),
    );
}
