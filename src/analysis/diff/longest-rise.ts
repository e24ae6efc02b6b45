/** The indices of a longest part of a sequence whose numbers rise, in order. It takes n log n steps. */
export function longestRise(numbers: readonly number[]): number[] {
  // For each length the index of the smallest number that ends a rise of it, and for each index the one before it.
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  for (const [index, number] of numbers.entries()) {
    const length = firstNotBelow(ends, number, numbers);
    before.push(ends[length - 1]);
    ends[length] = index;
  }
  const rise: number[] = [];
  for (let index = ends.at(-1); index !== undefined; index = before[index]) rise.push(index);
  return rise.reverse();
}

function firstNotBelow(ends: readonly number[], number: number, numbers: readonly number[]): number {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
