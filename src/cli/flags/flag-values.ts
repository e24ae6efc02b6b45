import { parseByteSize } from '../../model/byte-size.ts';
import { ReelError } from '../../model/errors.ts';
import { nearWord } from '../near-word.ts';
import type { CaptureFlagValues } from './capture-flags.ts';

/** The value of a flag that is given once. */
export function text(values: CaptureFlagValues, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

/** The values of a flag that may be repeated. */
export function list(values: CaptureFlagValues, name: string): readonly string[] {
  const given = values[name];
  if (typeof given === 'string') return [given];
  return Array.isArray(given) ? (given as readonly string[]) : [];
}

/** A size such as `64k`. */
export function bytes(values: CaptureFlagValues, name: string): number | undefined {
  const given = text(values, name);
  const size = given === undefined ? undefined : parseByteSize(given);
  if (given !== undefined && !size)
    throw usage(`--${name} ${given} is not a size`, 'Use a size like 4096, 64k or 128M.');
  return size;
}

/** A whole number of at least 1. */
export function positive(values: CaptureFlagValues, name: string): number | undefined {
  const given = text(values, name);
  return given === undefined ? undefined : wholeNumber(name, given, 1);
}

/** A number of seconds, converted to milliseconds. */
export function milliseconds(values: CaptureFlagValues, name: string): number | undefined {
  const given = text(values, name);
  return given === undefined ? undefined : Math.round(secondsIn(name, given) * 1000);
}

/** A whole number of at least `least`. */
export function wholeNumber(name: string, given: string, least: number): number {
  if (/^\d{1,15}$/.test(given) && Number(given) >= least) return Number(given);
  throw malformed(name, given, `a whole number of at least ${least}`, '5');
}

/** A number of seconds, with optional decimals. Values beyond a timer's range are rejected. */
export function secondsIn(name: string, given: string): number {
  if (/^\d{1,6}(\.\d{1,3})?$/.test(given)) return Number(given);
  throw malformed(name, given, 'a number of seconds', '1.5');
}

/** Any other number, with optional decimals. */
export function decimal(name: string, given: string, what: string, example: string): number {
  if (/^\d{1,12}(\.\d{1,6})?$/.test(given)) return Number(given);
  throw malformed(name, given, what, example);
}

export function portIn(name: string, given: string): number {
  if (/^\d{1,5}$/.test(given) && Number(given) <= 65_535) return Number(given);
  throw usage(`--${name} ${given || '""'} is not a port`, 'Use a number up to 65535, or 0 for a free port.');
}

function malformed(name: string, given: string, what: string, example: string): ReelError {
  return usage(`--${name} ${given || '""'} is not ${what}`, `Example: ${example}`);
}

export function pairsFrom(values: CaptureFlagValues, name: string): Record<string, string> {
  return Object.fromEntries(
    list(values, name).map((pair) => {
      const at = pair.indexOf('=');
      // A text without a key may be a secret value, so it is not shown.
      const shown = /^[A-Za-z_-]{1,40}$/.test(pair) ? ` ${pair}` : '';
      if (at < 0) throw usage(`--${name}${shown} has no value`, 'Use key=value.');
      if (at === 0) throw usage(`--${name} =… has no key`, 'Use key=value.');
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

/** The error for a value that is not among the known ones. */
export function unknownValue(name: string, given: string, known: readonly string[]): ReelError {
  const near = nearWord(given, known);
  const meant = near === undefined ? '' : `Did you mean ${near}? `;
  return usage(`Unknown ${name}: ${given || '""'}`, `${meant}Use one of ${known.join(', ')}.`);
}

/** A usage error with a hint what to write instead. */
export function usage(message: string, hint: string): ReelError {
  return new ReelError('usage', message, { hint });
}
