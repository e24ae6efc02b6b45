import { type Argument, type Command, Help, type Option } from 'commander';
import { visible } from '../present/visible-text.ts';
import type { DirectOutput } from './command-run.ts';
import { pathOf } from './examples.ts';
import { CAPTURE_FLAGS } from './flags/capture-flags.ts';
import { unknownValue } from './flags/flag-values.ts';
import { refuseOptionsAsValues } from './flags/option-values.ts';
import { nearWord } from './near-word.ts';

/**
 * Configures a command and its subcommands: an error is one line that starts with `Error:` and ends with a hint, and
 * only `main` exits the process.
 */
export function configureCommand(command: Command, output: DirectOutput): void {
  command
    .exitOverride()
    .configureHelp({
      optionDescription: (option) => optionDescription(option, command),
      subcommandTerm: (child) => child.name(),
    })
    .configureOutput({
      writeOut: (text) => output.print(text),
      outputError: (text) => output.note(asOneLine(text, command)),
    });
  for (const option of command.options) refuseUnknown(option, option.long ?? option.flags);
  for (const argument of command.registeredArguments) refuseUnknown(argument, argument.name());
  refuseOptionsAsValues(command);
  for (const child of command.commands) configureCommand(child, output);
}

/** An error of the command-line library as one line, in its words. */
function asOneLine(text: string, command: Command): string {
  const [, reported = '', meant] = /^(?:error: )?(.*?)(?:\s*\(Did you mean (.*)\?\))?$/s.exec(text.trim()) ?? [];
  const what = reported.replaceAll(/\s*\n\s*/g, ' ');
  if (what.startsWith('too many') && isOneOfSeveral(command)) return unknownSibling(command);
  const [, option = ''] = /^unknown option '--([\w-]+)/.exec(what) ?? [];
  if (command.parent === null && CAPTURE_FLAGS.some(({ name }) => name === option)) return withoutServer(option);
  const hint = meant === undefined ? hintFor(command, what) : `Did you mean ${meant}?`;
  return visible(`Error: ${what.charAt(0).toUpperCase()}${what.slice(1).replace(/\.$/, '')}. ${hint}`);
}

/** The error for `mcpreel --intercept` without a server: only `--` makes it a recording. */
function withoutServer(option: string): string {
  const { value } = CAPTURE_FLAGS.find(({ name }) => name === option) ?? {};
  const line = `mcpreel --${option}${value === undefined ? '' : ` ${value}`} -- node server.js`;
  return `Error: No server given for --${option}. Put its command after --, like: ${line}`;
}

function hintFor(command: Command, what: string): string {
  const help = `See ${pathOf(command)} --help.`;
  const isCommand = command.parent === null && what.startsWith('unknown command');
  return isCommand ? `${help} To record a server, put its command after --.` : help;
}

/** Whether an unexpected word was probably meant as a sibling command: the parent runs this command by default. */
function isOneOfSeveral({ registeredArguments, parent }: Command): boolean {
  return registeredArguments.length === 0 && parent?.parent !== null && parent !== null;
}

function unknownSibling({ args: [given = ''], parent }: Command): string {
  const near = nearWord(given, parent?.commands.map((sibling) => sibling.name()) ?? []);
  const hint = near === undefined ? `See ${parent === null ? '' : pathOf(parent)} --help.` : `Did you mean ${near}?`;
  return visible(`Error: Unknown command '${given}'. ${hint}`);
}

/** The help of an option, with a default that the command applies later. The formats are listed by `import` only. */
function optionDescription(option: Option, command: Command): string {
  const { argChoices, defaultValue, defaultValueDescription, long } = option;
  const isListed = long !== '--format' || command.name().startsWith('import');
  const shown = {
    argChoices: isListed ? argChoices : undefined,
    defaultValue: defaultValue ?? defaultValueDescription,
    defaultValueDescription: defaultValueDescription ?? (defaultValue === undefined ? undefined : String(defaultValue)),
  };
  return new Help().optionDescription(Object.assign(Object.create(option) as Option, shown));
}

/** Reports unknown values with the same error as the `record` flags. */
function refuseUnknown(taker: Option | Argument, name: string): void {
  const { argChoices } = taker;
  if (argChoices === undefined) return;
  taker.argParser((given: string) => {
    if (!argChoices.includes(given)) throw unknownValue(name, given, argChoices);
    return given;
  });
}
