/**
 * Regular expressions for values that are small and simply spelled, as nearly all values in messages are. They skip
 * such a value many times faster than a JavaScript loop.
 *
 * Every repetition count is bounded, because each repetition takes space on the engine's stack: the largest value that
 * matches takes a few megabytes.
 */

/** Characters that need no escape in a string. */
export const PLAIN: string = String.raw`[ !#-[\]-\uffff]*`;
const ESCAPE = String.raw`\\(?:["\\/bfnrt]|u[\da-fA-F]{4})`;
const NUMBER = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`;
const SCALAR = `(?:"${PLAIN}(?:${ESCAPE}${PLAIN}){0,16}"|${NUMBER}|true|false|null)`;

const object = (value: string): string => String.raw`\{(?:"${PLAIN}": ?${value}(?:, ?(?=")|(?=\}))){0,32}\}`;
const array = (value: string): string => String.raw`\[(?:${value}(?:, ?(?!\])|(?=\]))){0,32}\]`;
const container = (value: string): string => `(?:${object(value)}|${array(value)})`;
const orContainer = (value: string): string => `(?:${SCALAR}|${object(value)}|${array(value)})`;

/** An object or array as deep as most arguments and results. Every level doubles the length of the pattern. */
export const SMALL_CONTAINER: string = container(orContainer(orContainer(SCALAR)));

const CONTAINER_HERE = new RegExp(SMALL_CONTAINER, 'y');

/** The offset after the object or array at `at`; -1 if it is large, deep, unusually spelled or not JSON. */
export function passSmallContainer(text: string, at: number): number {
  CONTAINER_HERE.lastIndex = at;
  return CONTAINER_HERE.test(text) ? CONTAINER_HERE.lastIndex : -1;
}

/** Members with scalar values, and scalar elements, each with the comma after it. */
const SCALAR_MEMBERS = new RegExp(`(?:"${PLAIN}": ?${SCALAR}, ?){0,64}`, 'y');
const SCALAR_ELEMENTS = new RegExp(`(?:${SCALAR}, ?){0,64}`, 'y');

/** The offset after a run of scalar members or elements; `at` if there is no such run. */
export function passScalars(text: string, at: number, inObject: boolean): number {
  const run = inObject ? SCALAR_MEMBERS : SCALAR_ELEMENTS;
  run.lastIndex = at;
  run.test(text);
  return run.lastIndex;
}
