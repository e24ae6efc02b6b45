/**
 * Whether any list among these values has two equal elements. Every value comes after the one that contains it. Takes
 * time in proportion to their number: equal values get the same number, and a list is described by those of its elements.
 */
export function hasEqualElements(values: readonly unknown[]): boolean {
  const numbers = new Map<string, number>();
  const numberOf = new Map<unknown, number>();
  const ofValue = (value: unknown): number | undefined =>
    typeof value === 'object' && value !== null ? numberOf.get(value) : numbered(numbers, JSON.stringify(value));
  for (const value of values.toReversed()) {
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value)) {
      const elements = value.map(ofValue);
      if (new Set(elements).size < elements.length) return true;
      numberOf.set(value, numbered(numbers, `[${elements.join()}]`));
    } else {
      const members = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}:${ofValue(inner)}`);
      numberOf.set(value, numbered(numbers, `{${members.sort().join()}}`));
    }
  }
  return false;
}

/** The number of a description, which is new if the description is. */
function numbered(numbers: Map<string, number>, description: string): number {
  const known = numbers.get(description) ?? numbers.size;
  numbers.set(description, known);
  return known;
}
