import type { Command, Option } from 'commander';
import { pathOf } from '../examples.ts';
import { usage } from './flag-values.ts';

/** A short or long option, with or without a value. A filter such as `-tool:search` and a number are none. */
const OPTION = /^--?[A-Za-z][\w-]*(?:=|$)/s;

/** Whether a word after an option is another option, or the end of options, and not the value of the first. */
export function looksLikeOption(word: string): boolean {
  return word === '--' || OPTION.test(word);
}

/**
 * Makes a command refuse an option whose value is another option, which the command-line library accepts: `-o
 * --no-redact` would write an unredacted file of that name. Such a value is written `--output=--no-redact`.
 */
export function refuseOptionsAsValues(command: Command): void {
  const parse = command.parseOptions.bind(command);
  command.parseOptions = (args) => {
    for (const [index, word] of args.entries()) {
      if (word === '--') break;
      const next = args[index + 1];
      const option = next !== undefined && looksLikeOption(next) ? awaitingValue(word, command.options) : undefined;
      if (option !== undefined) {
        throw usage(`Option '${option.flags}' argument missing`, `See ${pathOf(command)} --help.`);
      }
    }
    return parse(args);
  };
}

/** The option that takes the next word for its value: the word itself, or the last of several short ones in it. */
function awaitingValue(word: string, options: readonly Option[]): Option | undefined {
  const named = options.find(({ short, long }) => word === short || word === long);
  if (named !== undefined) return named.required ? named : undefined;
  if (!/^-[A-Za-z]{2}/.test(word)) return undefined;
  const first = options.find(({ short }) => word.slice(0, 2) === short);
  return first === undefined || first.required || first.optional
    ? undefined
    : awaitingValue(`-${word.slice(2)}`, options);
}
