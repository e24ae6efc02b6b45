/** The middle one of some numbers. */
export function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** The middle ones of the second and of the last third: what warms up does so in the first. */
export function thirds(values) {
  const third = Math.floor(values.length / 3);
  return [median(values.slice(third, 2 * third)), median(values.slice(2 * third))];
}
