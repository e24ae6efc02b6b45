import { inspect, isDeepStrictEqual } from 'node:util';
import { ReelError } from '../../src/model/errors.ts';

/** A fuzz target: code that reads untrusted input, and the properties that must hold for any input. */
export interface Target {
  readonly name: string;
  readonly seeds: () => readonly Uint8Array[];
  /** Throws if a property does not hold. Depends only on the bytes. */
  readonly check: (input: Uint8Array) => void | Promise<void>;
  /** About how many inputs can be tried per second. */
  readonly perSecond: number;
  /** Stops what the checks have started. */
  readonly close?: () => Promise<void>;
}

/** Thrown if a property does not hold. */
export class Broken extends Error {
  override readonly name = 'Broken';
  /** The property, with the same text for every input. */
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

/** The value of a piece of work, or the message of its refusal; any other error is a fault and is rethrown. */
export async function outcomeOf<T>(work: () => T | Promise<T>): Promise<{ value: T } | { refusal: string }> {
  try {
    return { value: await work() };
  } catch (error) {
    return { refusal: refusalOf(error) };
  }
}

/** The message of a refusal, which must be mcpreel's own error on one line. */
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
