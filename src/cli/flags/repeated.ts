/** How an option that may be given several times gathers its values. */
export function gather(given: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), given];
}
