import { parseArgs } from 'node:util';

/**
 * Parses a benchmark's flags. Each flag is described by its default value, or by `Number`, `String` or `Boolean` if it
 * has none. On an invalid flag it prints the error and exits.
 */
export function readFlags(kinds) {
  try {
    const options = mapOf(kinds, (_, kind) => ({ type: kind === Boolean ? 'boolean' : 'string' }));
    const { values } = parseArgs({ options });
    return mapOf(kinds, (name, kind) => flagValue(name, kind, values[name]));
  } catch (error) {
    console.error(error.message);
    return process.exit(2);
  }
}

function flagValue(name, kind, given) {
  if (given === undefined) return typeof kind === 'function' ? undefined : kind;
  if (kind !== Number && typeof kind !== 'number') return given;
  if (!/^\d+$/.test(given)) throw new Error(`--${name} takes a number, not ${given}.`);
  return Number(given);
}

function mapOf(record, change) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(name, value)]));
}
