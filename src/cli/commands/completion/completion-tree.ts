import type { Command, Option } from 'commander';

/**
 * The possible values of an argument or flag: a list, or a kind of value. `sessions` are files and the ids of sessions in
 * the state folder, `ids` only the latter. Nothing can be offered for `free` text.
 */
export type CompletionWords = readonly string[] | 'files' | 'folders' | 'sessions' | 'ids' | 'free';

/** What a shell's script does for each kind of value. */
export type CompletionActions = Readonly<Record<Extract<CompletionWords, string>, string>>;

/** Completion offers the newest sessions only: a longer list is of no help, and takes long to make. */
export const MAX_IDS = 50;

export interface CompletedFlag {
  /** Its spellings: `-o`, `--output`. */
  readonly names: readonly string[];
  readonly help: string;
  /** The possible values; `undefined` for a flag without one. */
  readonly value: CompletionWords | undefined;
  readonly repeats: boolean;
}

/** The parts of a command that shell completion needs. */
export interface CompletedCommand {
  /** The words that lead to it: none for the program itself, then `sessions`, `sessions list`. */
  readonly path: readonly string[];
  readonly help: string;
  readonly flags: readonly CompletedFlag[];
  readonly children: readonly CompletedCommand[];
  /** The possible arguments. */
  readonly argument: CompletionWords;
  /** What follows `--`: a server's command, or flags of `record`. */
  readonly afterDashes: 'command' | 'flags' | undefined;
}

/** All commands and flags of the program, as one tree. */
export function completionTree(program: Command): CompletedCommand {
  const tree = treeOf(program, []);
  // The flags of `record` may precede a server command.
  const record = tree.children.find(({ path }) => path[0] === 'record');
  return { ...tree, flags: [...tree.flags, ...(record?.flags ?? []).filter(isNotHelp)], afterDashes: 'command' };
}

/** A command and all its subcommands, parents first. */
export function everyCommand(command: CompletedCommand): CompletedCommand[] {
  return [command, ...command.children.flatMap(everyCommand)];
}

function treeOf(command: Command, path: readonly string[], siblings: readonly string[] = []): CompletedCommand {
  const help = command.createHelp();
  const visible = help.visibleCommands(command);
  const names = visible.map((child) => child.name());
  const children = visible.map((child) => treeOf(child, [...path, child.name()], names));
  return {
    path,
    help: help.subcommandDescription(command),
    flags: help.visibleOptions(command).map(flagOf),
    children,
    argument: argumentOf(command, siblings),
    afterDashes: afterDashesOf(command),
  };
}

function flagOf(option: Option): CompletedFlag {
  const { short, long, description, parseArg } = option;
  const takesValue = option.required || option.optional;
  return {
    names: [short, long].filter((name) => name !== undefined),
    help: description,
    value: takesValue ? valuesOf(option) : undefined,
    repeats: takesValue && parseArg !== undefined && description.includes('(repeatable)'),
  };
}

const FILE = /<file>/;
const FOLDER = /<folder>/;

function valuesOf({ flags, argChoices }: Option): CompletionWords {
  if (argChoices !== undefined) return argChoices;
  if (FOLDER.test(flags)) return 'folders';
  return FILE.test(flags) ? 'files' : 'free';
}

/** The argument's name in the help determines what is offered. */
function argumentOf(command: Command, siblings: readonly string[]): CompletionWords {
  const [argument] = command.registeredArguments;
  if (argument?.argChoices !== undefined) return argument.argChoices;
  switch (argument?.name()) {
    case 'session':
    case 'sessions':
    case 'a':
      return 'sessions';
    case 'id':
      return 'ids';
    case 'file':
      return 'files';
    case 'command':
      return siblings;
    default:
      return 'free';
  }
}

function afterDashesOf(command: Command): CompletedCommand['afterDashes'] {
  const names = command.registeredArguments.map((argument) => argument.name());
  if (names.includes('server') && command.registeredArguments.at(-1)?.variadic) return 'command';
  return names.includes('flags') ? 'flags' : undefined;
}

function isNotHelp({ names }: CompletedFlag): boolean {
  return !names.includes('--help');
}
