import { cutEnd, cutStart, takeColumns, widthOf } from '../../../present/columns.ts';
import { inColour, type TableStyle, type TextColor } from './text-style.ts';

/** A column of a table. One column is cut if the terminal is narrow: the first, or the one that is marked. */
export interface TableColumn<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string;
  readonly colour?: (row: Row) => TextColor | undefined;
  /** Whether cells are left-aligned, as those of the column that is cut are. Others are right-aligned. */
  readonly isText?: boolean;
  readonly isCut?: boolean;
  /** Its cells are cut to no less than this. */
  readonly minWidth?: number;
  /** Whether cells are cut at the start, because their ends distinguish them. */
  readonly keepsEnd?: boolean;
  /** If columns do not fit, those with the highest number are dropped first. Without a number, a column stays. */
  readonly spare?: number;
}

const GAP = '  ';
const MIN_WIDTH = 16;

/** Rows below their titles. */
export function tableText<Row>(columns: readonly TableColumn<Row>[], rows: readonly Row[], style: TableStyle): string {
  return [...tableLines(columns, rows, style)].join('');
}

/** The lines of a table. Cells are made twice instead of kept, because there may be tens of thousands of rows. */
export function* tableLines<Row>(
  columns: readonly TableColumn<Row>[],
  rows: readonly Row[],
  style: TableStyle,
): Generator<string> {
  const cut = columns.find(({ isCut }) => isCut) ?? columns[0];
  const laidOut = columns.map((column) => {
    const width = rows.reduce((widest, row) => Math.max(widest, widthOf(column.cell(row))), widthOf(column.title));
    return { column, width, isCut: column === cut };
  });
  const shown = thoseThatFit(laidOut, style.width);
  const line = (row?: Row): string =>
    shown
      .map((part) => {
        const cell = row === undefined ? part.column.title : part.column.cell(row);
        const text = fitted(cell, part, part === shown.at(-1));
        return inColour(text, row === undefined ? 'grey' : part.column.colour?.(row), style);
      })
      .join(GAP);
  yield `${line().trimEnd()}\n`;
  for (const row of rows) yield `${line(row).trimEnd()}\n`;
}

interface LaidOut<Row> {
  readonly column: TableColumn<Row>;
  readonly width: number;
  readonly isCut: boolean;
}

function thoseThatFit<Row>(all: readonly LaidOut<Row>[], width: number): LaidOut<Row>[] {
  const shown = [...all];
  const others = (): number =>
    shown.filter(({ isCut }) => !isCut).reduce((sum, part) => sum + part.width + GAP.length, 0);
  const cut = all.find(({ isCut }) => isCut);
  const least = Math.min(cut?.width ?? 0, cut?.column.minWidth ?? MIN_WIDTH);
  while (others() + least > width) {
    const [first] = shown
      .filter(({ column }) => column.spare !== undefined)
      .sort((a, b) => (b.column.spare ?? 0) - (a.column.spare ?? 0));
    if (first === undefined) break;
    shown.splice(shown.indexOf(first), 1);
  }
  const left = Math.max(least, width - others());
  return shown.map((part) => (part.isCut ? { ...part, width: Math.min(part.width, left) } : part));
}

function fitted<Row>(text: string, { width, column, isCut }: LaidOut<Row>, isLast: boolean): string {
  const used = widthOf(text);
  if (used > width) return column.keepsEnd ? cutStart(text, width) : cutEnd(text, width);
  const space = ' '.repeat(width - used);
  if (!column.isText && !isCut) return space + text;
  return isLast ? text : text + space;
}

/** The text in lines that fit; longer words are cut. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
    while (width > 0 && widthOf(line) > width) {
      const taken = takeColumns(line, 0, line.length, width);
      lines.push(taken.text);
      line = line.slice(taken.end);
    }
  }
  return [...lines, line];
}
