/** A header as sent; the same name may occur several times. */
export type PageHeader = readonly [name: string, value: string];

/** The headers of a recorded exchange, from `[["Accept","…"]]` or `{"Accept":"…"}`. */
export function headersIn(value: unknown): PageHeader[] {
  if (typeof value !== 'object' || value === null) return [];
  const pairs: unknown[] = Array.isArray(value) ? value : Object.entries(value);
  return pairs.flatMap((pair): PageHeader[] => {
    if (!Array.isArray(pair) || typeof pair[0] !== 'string') return [];
    return [[pair[0], typeof pair[1] === 'string' ? pair[1] : JSON.stringify(pair[1] ?? null)]];
  });
}
