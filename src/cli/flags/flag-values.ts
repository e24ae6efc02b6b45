import { parseByteSize } from '../../model/byte-size.ts';
import { ReelError } from '../../model/errors.ts';
import { nearWord } from '../near-word.ts';
import type { CaptureFlagValues } from './capture-flags.ts';

/** The value of a flag that is given once. */
export function text(values: CaptureFlagValues, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

/** The values of a flag that may be given several times. */
export function list(values: CaptureFlagValues, name: string): readonly string[] {
  const given = values[name];
  if (typeof given === 'string') return [given];
  return Array.isArray(given) ? (given as readonly string[]) : [];
}

/** A size like `64k`. */
export function bytes(values: CaptureFlagValues, name: string): number | undefined {
  const given = text(values, name);
  const size = given === undefined ? undefined : parseByteSize(given);
  if (given !== undefined && !size) throw usage(`--${name} ${given} is not a size`, 'Write it like 4096, 64k or 128M.');
  return size;
}

/** A whole number from 1 on. */
export function positive(values: CaptureFlagValues, name: string): number | undefined {
  const given = text(values, name);
  return given === undefined ? undefined : wholeNumber(name, given, 1);
}

/** A number of seconds, in milliseconds. */
export function milliseconds(values: CaptureFlagValues, name: string): number | undefined {
  const given = text(values, name);
  return given === undefined ? undefined : Math.round(secondsIn(name, given) * 1000);
}

/** A whole number that is not too small. */
export function wholeNumber(name: string, given: string, least: number): number {
  if (/^\d{1,15}$/.test(given) && Number(given) >= least) return Number(given);
  throw malformed(name, given, `a whole number from ${least} on`, '5');
}

/** A number of seconds, which may have decimals. More than a timer can wait for is none. */
export function secondsIn(name: string, given: string): number {
  if (/^\d{1,6}(\.\d{1,3})?$/.test(given)) return Number(given);
  throw malformed(name, given, 'a number of seconds', '1.5');
}

/** A number of something else, which may have decimals. */
export function decimal(name: string, given: string, what: string, example: string): number {
  if (/^\d{1,12}(\.\d{1,6})?$/.test(given)) return Number(given);
  throw malformed(name, given, what, example);
}

/** A port to listen on. */
export function portIn(name: string, given: string): number {
  if (/^\d{1,5}$/.test(given) && Number(given) <= 65_535) return Number(given);
  throw usage(`--${name} ${given || '""'} is not a port`, 'Write a number up to 65535, or 0 for any that is free.');
}

function malformed(name: string, given: string, what: string, example: string): ReelError {
  return usage(`--${name} ${given || '""'} is not ${what}`, `Write it like --${name} ${example}.`);
}

/** The `key=value` pairs of a flag. */
export function pairsFrom(values: CaptureFlagValues, name: string): Record<string, string> {
  return Object.fromEntries(
    list(values, name).map((pair) => {
      const at = pair.indexOf('=');
      // Something without a name may be a value, which is nobody else's business.
      const shown = /^[A-Za-z_-]{1,40}$/.test(pair) ? ` ${pair}` : '';
      if (at < 1) throw usage(`--${name}${shown} has no value`, `Write --${name} key=value.`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

/** What is wrong with a value that is none of those that there are. */
export function unknownValue(name: string, given: string, known: readonly string[]): ReelError {
  const near = nearWord(given, known);
  const meant = near === undefined ? '' : `Did you mean ${near}? `;
  return usage(`${name} ${given || '""'} is not known`, `${meant}Known: ${known.join(', ')}.`);
}

/** What is wrong with the arguments, and what to write instead. */
export function usage(message: string, hint: string): ReelError {
  return new ReelError('usage', message, { hint });
}
