import type { Argument, Command, Option } from 'commander';
import { visible } from '../present/visible-text.ts';
import type { DirectOutput } from './command-run.ts';
import { pathOf } from './examples.ts';
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
    .helpOption('-h, --help', 'print this help')
    .configureHelp({ optionDescription, subcommandTerm: (child) => child.name() })
    .configureOutput({
      writeOut: (text) => output.print(text),
      outputError: (text) => output.note(inOurWords(text, command)),
    });
  if (command.commands.length > 0) command.helpCommand('help [command]', 'print the help of a command');
  for (const option of command.options) refuseUnknown(option, option.long ?? option.flags);
  for (const argument of command.registeredArguments) refuseUnknown(argument, argument.name());
  refuseOptionsAsValues(command);
  for (const child of command.commands) configureCommand(child, output);
}

const SENTENCES: readonly [pattern: RegExp, sentence: string][] = [
  [/^unknown option '(.*)'$/, 'Unknown option $1'],
  [/^unknown command '(.*)'$/, 'Unknown command $1'],
  [/^missing required argument '(.*)'$/, 'The argument <$1> is missing'],
  [/^option '(?:-\w, )?(--.*)' argument missing$/, '$1 has no value'],
  [/^required option '(?:-\w, )?(--.*)' not specified$/, '$1 is missing'],
  [
    /^option '(?:-\w, )?(--[\w-]+).*?' cannot be used with option '(?:-\w, )?(--[\w-]+).*'$/,
    '$1 and $2 do not go together',
  ],
  [
    /^too many arguments for '(.*)'\. Expected (\d+) arguments? but got (\d+)\.$/,
    'Too many arguments: $3 instead of $2',
  ],
];

/** An error of the command-line library, reworded as one line. */
function inOurWords(text: string, command: Command): string {
  const [, reported = '', meant] = /^(?:error: )?(.*?)(?:\s*\(Did you mean (.*)\?\))?$/s.exec(text.trim()) ?? [];
  const what = reported.replaceAll(/\s*\n\s*/g, ' ');
  if (what.startsWith('too many') && isOneOfSeveral(command)) return unknownSibling(command);
  const [pattern, sentence] = SENTENCES.find(([known]) => known.test(what)) ?? [/^./, '$&'];
  const line = what.replace(pattern, sentence);
  const hint =
    meant === undefined
      ? `See ${pathOf(command)} --help.`
      : `Did you mean ${listedWithOr(meant.replace('one of ', '').split(', '))}?`;
  return visible(`Error: ${line.charAt(0).toUpperCase()}${line.slice(1)}${line.endsWith('.') ? '' : `. ${hint}`}`);
}

/** Whether an unexpected word was probably meant as a sibling command: the parent runs this command by default. */
function isOneOfSeveral({ registeredArguments, parent }: Command): boolean {
  return registeredArguments.length === 0 && parent?.parent !== null && parent !== null;
}

function unknownSibling({ args: [given = ''], parent }: Command): string {
  const near = nearWord(given, parent?.commands.map((sibling) => sibling.name()) ?? []);
  const hint = near === undefined ? `See ${parent === null ? '' : pathOf(parent)} --help.` : `Did you mean ${near}?`;
  return visible(`Error: Unknown command ${given}. ${hint}`);
}

/** The help text of an option: its purpose, its choices and its default. */
function optionDescription({ description, argChoices, defaultValue, negate }: Option): string {
  const choices = argChoices === undefined ? '' : `: ${listedWithOr(argChoices)}`;
  const isReported = defaultValue !== undefined && typeof defaultValue !== 'boolean' && !negate;
  return `${description}${choices}${isReported ? ` (${String(defaultValue)})` : ''}`;
}

function listedWithOr(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
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
