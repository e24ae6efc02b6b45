import { type Command, Option } from 'commander';
import { CAPTURE_FLAGS, type CaptureFlag, type CaptureFlagValues } from './capture-flags.ts';
import { argumentMissing } from './parse-capture-flags.ts';
import { gather } from './repeated.ts';

/** The flags of `record` as command options: all, or those with these names. */
export function captureOptions(names?: readonly string[]): Option[] {
  return CAPTURE_FLAGS.filter(({ name }) => names === undefined || names.includes(name)).map(optionFor);
}

/** The given values of these options, by flag name. */
export function valuesOf(options: readonly Option[], command: Command): CaptureFlagValues {
  return Object.fromEntries(options.map((option) => [option.name(), givenFor(option, command)]));
}

/**
 * Throws if a flag has another flag for its value, which the command-line library would accept: `--label --trace-file x`
 * would run `x` as the server. A value that begins with a dash is written `--label=--x`.
 */
export function refuseFlagsAsValues(args: readonly string[]): void {
  const separator = args.indexOf('--');
  const words = separator < 0 ? args : args.slice(0, separator);
  for (const [index, word] of words.entries()) {
    const flag = CAPTURE_FLAGS.find(({ name, value }) => value !== undefined && word === `--${name}`);
    const next = words[index + 1];
    const hasValue = next !== undefined && !(next.length > 1 && next.startsWith('-'));
    if (flag !== undefined && !hasValue) throw argumentMissing(flag.name, 'See mcpreel record --help.');
  }
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
