import { type Command, Option } from 'commander';
import { CAPTURE_FLAGS, type CaptureFlag, type CaptureFlagValues } from './capture-flags.ts';
import { gather } from './repeated.ts';

/** The flags of `record` as command options: all, or those with these names. */
export function captureOptions(names?: readonly string[]): Option[] {
  return CAPTURE_FLAGS.filter(({ name }) => names === undefined || names.includes(name)).map(optionFor);
}

/** The given values of these options, by flag name. */
export function valuesOf(options: readonly Option[], command: Command): CaptureFlagValues {
  return Object.fromEntries(options.map((option) => [option.name(), givenFor(option, command)]));
}

function optionFor({ name, value, repeats, choices, usual, help, group }: CaptureFlag): Option {
  const option = new Option(value === undefined ? `--${name}` : `--${name} <${value}>`, help)
    .default(undefined, usual)
    .helpGroup(group);
  if (repeats) option.argParser(gather);
  if (choices !== undefined) option.choices(choices);
  return option;
}

/** Commander stores `--no-x` as `x`, which is true unless the flag was given. */
function givenFor(option: Option, command: Command): string | string[] | boolean | undefined {
  const value = command.getOptionValue(option.attributeName()) as string | string[] | boolean | undefined;
  return option.negate ? value === false : value;
}
