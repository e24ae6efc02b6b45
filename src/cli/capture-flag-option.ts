import { type Command, Option } from 'commander';
import type { CaptureFlag } from './capture-flags.ts';
import { gather } from './repeated.ts';

/** A flag of the recorder as an option of a command. */
export function optionFor({ name, value, repeats, choices, help }: CaptureFlag): Option {
  const option = new Option(value === undefined ? `--${name}` : `--${name} <${value}>`, help);
  if (repeats) option.argParser(gather);
  if (choices !== undefined) option.choices(choices);
  return option;
}

/** What was given for it. A flag like `--no-x` is kept as `x`, true unless it was given. */
export function givenFor(option: Option, command: Command): string | string[] | boolean | undefined {
  const value = command.getOptionValue(option.attributeName()) as string | string[] | boolean | undefined;
  return option.negate ? value === false : value;
}
