import { parseArgs } from 'node:util';

/**
 * The flags of a benchmark by their names. Each is described by what it is if it is not given, or by `Number`, `String` or
 * `Boolean` where it is nothing then. Where somebody asks for something else, it says so and ends the program.
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
