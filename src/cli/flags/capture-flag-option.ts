import { type Command, Option } from 'commander';
import { CAPTURE_FLAGS, type CaptureFlag, type CaptureFlagValues } from './capture-flags.ts';
import { gather } from './repeated.ts';

/** Flags of the recorder as options of a command: all, or those of these names. */
export function captureOptions(names?: readonly string[]): Option[] {
  return CAPTURE_FLAGS.filter(({ name }) => names === undefined || names.includes(name)).map(optionFor);
}

/** What was given for such options, by the names of the flags. */
export function valuesOf(options: readonly Option[], command: Command): CaptureFlagValues {
  return Object.fromEntries(options.map((option) => [option.name(), givenFor(option, command)]));
}

function optionFor({ name, value, repeats, choices, help }: CaptureFlag): Option {
  const option = new Option(value === undefined ? `--${name}` : `--${name} <${value}>`, help);
  if (repeats) option.argParser(gather);
  if (choices !== undefined) option.choices(choices);
  return option;
}

/** A flag like `--no-x` is kept as `x`, true unless it was given. */
function givenFor(option: Option, command: Command): string | string[] | boolean | undefined {
  const value = command.getOptionValue(option.attributeName()) as string | string[] | boolean | undefined;
  return option.negate ? value === false : value;
}
