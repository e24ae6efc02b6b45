/** Collects the values of a repeatable option. */
export function gather(given: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), given];
}
