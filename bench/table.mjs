/** Prints the ratios as a Markdown table, with the limits of mcpreel. Returns whether all of them are met. */
export function printTable(names, rows, limited) {
  const met = rows.map((row) => isMet(row, row.figures[limited]));
  const head = ['', ...names, `limit for ${limited}`];
  const cells = rows.map((row, n) => [
    row.title,
    ...names.map((name) => row.figures[name]?.toFixed(row.digits ?? 2) ?? ''),
    `${limitOf(row)}${met[n] ? '' : ' MISSED'}`,
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...cells].map((line) => line[column].length)));
  const print = (line) => console.log(`| ${line.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`);
  console.log('');
  print(head);
  console.log(`|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  for (const line of cells) print(line);
  return met.every(Boolean);
}

function isMet({ atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY }, value) {
  return value >= atLeast && value <= atMost;
}

function limitOf({ atLeast, atMost }) {
  if (atLeast === undefined && atMost === undefined) return '';
  return atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`;
}
