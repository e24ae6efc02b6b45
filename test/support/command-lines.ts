/** Rows for `it.each` whose titles show a whole command line: `$line`. */
export function commandLines(rows: readonly (readonly string[])[]): { args: readonly string[]; line: string }[] {
  return rows.map((args) => ({ args, line: args.join(' ') }));
}
