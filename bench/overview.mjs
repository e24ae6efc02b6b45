// Renders the results of one benchmark run as Markdown tables.
import { readFileSync, writeFileSync } from 'node:fs';
import { growthTables } from './growth-tables.mjs';
import { figureText, limitText } from './report.mjs';
import { markdownTable } from './table.mjs';

const HEAD = ['topic', 'what', 'mcpreel', 'best other tool', 'limit', ''];
const GROWTH = 'growth';

/** The tables of a run by the names of their places in a page, and the rows that miss their limit. */
export function overview({ date, benchmarks }) {
  const compared = benchmarks.filter(({ benchmark }) => benchmark !== GROWTH);
  const rows = compared.flatMap((benchmark) => benchmark.rows.map((row) => ({ benchmark, row })));
  const lines = rows.map(({ benchmark, row }) => [
    benchmark.benchmark,
    row.title,
    figureText(row, benchmark.limited),
    bestPeer(benchmark, row),
    limitText(row),
    verdict(row),
  ]);
  const growth = benchmarks.find(({ benchmark }) => benchmark === GROWTH);
  const missed = rows.filter(({ row }) => row.met === false);
  return {
    tables: {
      ...(lines.length > 0 && { bench: `${markdownTable(HEAD, lines)}\n\n${measuredOn(date, compared)}` }),
      ...(growth !== undefined && { growth: growthTables(growth) }),
    },
    missed: missed.map(
      ({ benchmark, row }) =>
        `${benchmark.benchmark}: ${row.title}: ${figureText(row, benchmark.limited)}, ${limitText(row)}`,
    ),
  };
}

/** Writes each table into a page, between the markers for it. */
export function placeTables(path, tables) {
  let page = readFileSync(path, 'utf8');
  for (const [name, text] of Object.entries(tables)) {
    const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [from, to] = [page.indexOf(begin), page.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`There is no place for the table ${name} in ${path}.`);
    page = `${page.slice(0, from + begin.length)}\n\n${text}\n\n${page.slice(to)}`;
  }
  writeFileSync(path, page);
}

function bestPeer({ peers }, row) {
  const measured = peers.filter((name) => row.figures[name] !== undefined);
  const isLessBetter = row.atMost !== undefined || row.less === true;
  const [best] = measured.toSorted((a, b) => (row.figures[a] - row.figures[b]) * (isLessBetter ? 1 : -1));
  return best === undefined ? '' : `${figureText(row, best)} ${best}`;
}

function verdict({ met, note }) {
  if (note !== undefined) return note;
  if (met === undefined) return '';
  return met ? 'met' : '**missed**';
}

function measuredOn(date, benchmarks) {
  const { node, platform, cores } = benchmarks[0]?.environment ?? {};
  const rounds = benchmarks.map(({ benchmark, about }) => `${benchmark}: ${about}`).join('; ');
  return `Measured on ${date} with Node ${node?.replace('v', '')}, ${platform}, ${cores} cores. ${rounds}.`;
}
