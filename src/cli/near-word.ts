/** The known word closest to the given one; `undefined` if none is close. */
export function nearWord(given: string, known: readonly string[]): string | undefined {
  const word = given.toLowerCase();
  const max = Math.max(1, Math.floor(word.length * 0.4));
  const near = known
    .map((candidate) => ({ candidate, distance: distanceBetween(word, candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= max)
    .sort((a, b) => a.distance - b.distance)[0];
  if (near !== undefined) return near.candidate;
  const longer = known.filter((candidate) => word.length >= MIN_BEGINNING && candidate.startsWith(word));
  return longer.length === 1 ? longer[0] : undefined;
}

const MIN_BEGINNING = 3;
/** Longer than any known word, and short enough to compare with each of them. */
const MAX_WORD = 60;

/** The edit distance: letters removed, added, replaced, or swapped with the next one. */
function distanceBetween(a: string, b: string): number {
  if (a.length > MAX_WORD) return a.length;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}
