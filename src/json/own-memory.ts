/** Copies a string, because a slice keeps the whole string that it was cut from in memory. */
export function inOwnMemory<T extends string | undefined>(text: T): T {
  return (text === undefined ? undefined : ` ${text}`.slice(1)) as T;
}
