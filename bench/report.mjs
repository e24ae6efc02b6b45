// Reports the results of a benchmark: rows of values, one per contestant, and the limits for one of them.
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { markdownTable } from './table.mjs';

/**
 * Prints the results of a benchmark, and writes them as JSON if a file is given. Returns whether all limits are met.
 *
 * A row has a title, `figures` by contestant name, and optionally a limit, `atMost` or `atLeast`, for the contestant
 * `limited`. `less` marks a row without a limit where less is better. `peers` are other tools.
 */
export function report({ benchmark, about, names, limited, peers = [], rows }, file) {
  const judged = rows.map((row) => ({ ...row, met: isMet(row, row.figures[limited]) }));
  const head = ['', ...names, `limit for ${limited}`];
  const lines = judged.map((row) => [
    row.title,
    ...names.map((name) => figureText(row, name)),
    `${limitText(row)}${row.met === false ? ' MISSED' : ''}${row.note === undefined ? '' : ` ${row.note}`}`,
  ]);
  console.log(`\n${markdownTable(head, lines)}`);
  if (file !== undefined) {
    const found = { benchmark, about, environment: environment(), names, limited, peers, rows: judged };
    writeFileSync(file, `${JSON.stringify(found, undefined, 2)}\n`);
  }
  return judged.every(({ met }) => met !== false);
}

export function figureText({ figures, digits = 2 }, name) {
  return figures[name]?.toFixed(digits) ?? '';
}

/** The limit of a row, as text. */
export function limitText({ atLeast, atMost }) {
  if (atLeast === undefined && atMost === undefined) return '';
  return atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`;
}

/** Undefined if there is no limit or no value. */
function isMet({ atLeast, atMost }, value) {
  if ((atLeast === undefined && atMost === undefined) || value === undefined) return undefined;
  return value >= (atLeast ?? Number.NEGATIVE_INFINITY) && value <= (atMost ?? Number.POSITIVE_INFINITY);
}

function environment() {
  return { node: process.version, platform: `${process.platform} ${process.arch}`, cores: availableParallelism() };
}
