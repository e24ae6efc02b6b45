// What a benchmark has found: rows of figures, one per contestant, and the limits for one of them.
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { markdownTable } from './table.mjs';

/**
 * Prints what a benchmark has found, and writes it as JSON where a file is named. Returns whether all limits are met.
 *
 * A row has a title, `figures` by the names of the contestants, and where there is a limit `atMost` or `atLeast`, which
 * is for the contestant `limited`; `less` says of a row without a limit that less is better. `peers` are other tools.
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

/** The figure of one contestant as it is printed. */
export function figureText({ figures, digits = 2 }, name) {
  return figures[name]?.toFixed(digits) ?? '';
}

/** What a row asks for, in words. */
export function limitText({ atLeast, atMost }) {
  if (atLeast === undefined && atMost === undefined) return '';
  return atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`;
}

/** Undefined where there is no limit, or nothing that could be held against it. */
function isMet({ atLeast, atMost }, value) {
  if ((atLeast === undefined && atMost === undefined) || value === undefined) return undefined;
  return value >= (atLeast ?? Number.NEGATIVE_INFINITY) && value <= (atMost ?? Number.POSITIVE_INFINITY);
}

function environment() {
  return { node: process.version, platform: `${process.platform} ${process.arch}`, cores: availableParallelism() };
}
