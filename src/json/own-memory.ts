/** Copies a string, because a slice keeps the whole string that it was cut from in memory. */
export function inOwnMemory(text: string): string {
  return ` ${text}`.slice(1);
}
