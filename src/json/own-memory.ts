/** A copy of a text. A slice would keep the whole text alive that it was cut from, for as long as it is kept itself. */
export function inOwnMemory(text: string): string {
  return ` ${text}`.slice(1);
}
