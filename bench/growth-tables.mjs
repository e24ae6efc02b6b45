// Renders the results of the growth benchmark: a table and a plot for each kind of size.
import { join } from 'node:path';
import { plot } from './plot.mjs';
import { figureText, limitText } from './report.mjs';
import { markdownTable } from './table.mjs';

const PICTURES = {
  messages: { file: 'growth-messages.svg', title: 'Cost of mcpreel relative to a minimal program' },
  'kB each way': { file: 'growth-payloads.svg', title: 'Time of a call relative to a pass-through' },
};

/** Each measured value is a row, each size a column. */
export function growthTables({ rows, limited }) {
  const limits = rows.filter(({ unit }) => unit === undefined);
  const tables = kindsOf(rows).map(([unit, { sizes, lines }]) =>
    markdownTable(
      ['relative to the baseline', ...sizes.map((size) => `${size} ${unit}`)],
      lines.map(([name, found]) => [name, ...found.map((row) => figureText(row, limited))]),
    ),
  );
  const limitTable = markdownTable(
    ['growth with a limit', limited, 'limit'],
    limits.map((row) => [row.title, figureText(row, limited), limitText(row)]),
  );
  return (limits.length === 0 ? tables : [...tables, limitTable]).join('\n\n');
}

/** Draws the plots into a folder and returns the Markdown that shows them. */
export function drawGrowth({ rows, limited }, folder) {
  const pictures = kindsOf(rows).map(([unit, { sizes, lines }]) => {
    const { file, title } = PICTURES[unit];
    const drawn = lines.map(([name, found]) => [name, found.map(({ figures }) => figures[limited])]);
    plot(join(folder, file), { title, across: unit, points: sizes, lines: Object.fromEntries(drawn) });
    return `![${title}, by ${unit}](pictures/${file})`;
  });
  return pictures.join('\n\n');
}

function kindsOf(rows) {
  const sized = rows.filter(({ unit }) => unit !== undefined);
  return [...groupBy(sized, ({ unit }) => unit)].map(([unit, ofUnit]) => {
    const lines = [...groupBy(ofUnit, ({ line }) => line)];
    return [unit, { lines, sizes: lines[0][1].map(({ size }) => size) }];
  });
}

function groupBy(values, keyOf) {
  const groups = new Map();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return groups;
}
