/** The next or previous bad line from a line; after the last comes the first. The lines must be sorted. */
export function badLineFrom(
  bad: readonly { readonly line: number }[],
  from: number | undefined,
  step: 1 | -1,
): number | undefined {
  if (step === 1) return (bad.find(({ line }) => line > (from ?? 0)) ?? bad[0])?.line;
  return (bad.findLast(({ line }) => line < (from ?? Number.POSITIVE_INFINITY)) ?? bad.at(-1))?.line;
}
