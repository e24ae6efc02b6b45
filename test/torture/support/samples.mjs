export function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** The medians of the second and the last third; the first third is warm-up. */
export function thirds(values) {
  const third = Math.floor(values.length / 3);
  return [median(values.slice(third, 2 * third)), median(values.slice(2 * third))];
}
