import { inspect, isDeepStrictEqual } from 'node:util';
import { ReelError } from '../../src/model/errors.ts';

/** Something that takes in what others have made, and what must hold of it whatever that is. */
export interface Target {
  readonly name: string;
  /** Inputs to begin with. */
  readonly seeds: () => readonly Uint8Array[];
  /** Throws where something does not hold. What it does depends on the bytes alone. */
  readonly check: (input: Uint8Array) => void | Promise<void>;
  /** About how many inputs can be tried in a second. */
  readonly perSecond: number;
  /** Ends what the checks have started. */
  readonly close?: () => Promise<void>;
}

/** That something does not hold which should. */
export class Broken extends Error {
  override readonly name = 'Broken';
  /** What does not hold, the same for every input. */
  readonly property: string;

  constructor(property: string, detail: string) {
    super(`${property}: ${detail}`);
    this.property = property;
  }
}

export function hold(isSo: boolean, property: string, detail: () => unknown = () => ''): void {
  if (!isSo) throw new Broken(property, shown(detail()));
}

export function same(actual: unknown, expected: unknown, property: string): void {
  if (actual === expected || isDeepStrictEqual(actual, expected)) return;
  throw new Broken(property, `${shown(actual)} and not ${shown(expected)}`);
}

/** What a piece of work gives, or the words in which it was refused; any other error is a fault, and goes on. */
export async function outcomeOf<T>(work: () => T | Promise<T>): Promise<{ value: T } | { refusal: string }> {
  try {
    return { value: await work() };
  } catch (error) {
    return { refusal: refusalOf(error) };
  }
}

/** The words with which something was refused, which must be our own error, on one line. */
function refusalOf(error: unknown): string {
  if (!(error instanceof ReelError)) throw error;
  hold(/^[^\r\n]+$/.test(error.message), 'an error is one line', () => error.message);
  hold(/^[^\r\n]*$/.test(error.hint ?? ''), 'a hint is one line', () => error.hint);
  return `${error.code}: ${error.message}`;
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : inspect(value, { depth: 5, breakLength: 200 });
  return text.length > 1500 ? `${text.slice(0, 1500)}…` : text;
}
