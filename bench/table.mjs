/** Formats a Markdown table with aligned columns. */
export function markdownTable(head, lines) {
  const widths = head.map((_, column) => Math.max(...[head, ...lines].map((line) => line[column].length)));
  const format = (line) => `| ${line.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  return [format(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...lines.map(format)].join('\n');
}
