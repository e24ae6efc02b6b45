import type { ResultTerminal } from '../../context.ts';

/** A column of a table. The first column names the row and is cut if the terminal is narrow. */
export interface TableColumn<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string;
  readonly colour?: (row: Row) => TextColor | undefined;
  /** Whether cells are cut at the start, because their ends distinguish them. */
  readonly keepsEnd?: boolean;
  /** If columns do not fit, those with the highest number are dropped first. Without a number, a column stays. */
  readonly spare?: number;
}

export type TextColor = 'red' | 'yellow' | 'green' | 'grey';

export interface TableStyle {
  /** The number of characters per line. */
  readonly width: number;
  readonly hasColour: boolean;
}

const USUAL_WIDTH = 80;

/** As wide as the terminal; unlimited if the output is not a terminal. */
export function tableStyle({ isTerminal, columns, hasColour }: ResultTerminal): TableStyle {
  if (!isTerminal) return { width: Number.POSITIVE_INFINITY, hasColour: false };
  return { width: columns || USUAL_WIDTH, hasColour };
}

const CODES: Readonly<Record<TextColor, string>> = { red: '31', yellow: '33', green: '32', grey: '90' };
const GAP = '  ';
/** Names are cut to no less than this. */
const MIN_NAME = 16;

/** Text in color, if the terminal supports it. */
export function inColour(
  text: string,
  colour: TextColor | undefined,
  { hasColour }: Pick<TableStyle, 'hasColour'>,
): string {
  return colour === undefined || !hasColour ? text : `\u001b[${CODES[colour]}m${text}\u001b[39m`;
}

/** Rows below their titles. All columns but the first are right-aligned. */
export function tableText<Row>(columns: readonly TableColumn<Row>[], rows: readonly Row[], style: TableStyle): string {
  const laidOut = columns.map((column, index) => {
    const cells = rows.map((row) => column.cell(row));
    const width = cells.reduce((widest, cell) => Math.max(widest, lengthOf(cell)), lengthOf(column.title));
    return { column, cells, width, isName: index === 0 };
  });
  const shown = thoseThatFit(laidOut, style.width);
  const line = (cellOf: (part: LaidOut<Row>) => string): string => shown.map(cellOf).join(GAP).trimEnd();
  const head = line((part) => inColour(fitted(part.column.title, part), 'grey', style));
  const body = rows.map((row, n) =>
    line((part) => inColour(fitted(part.cells[n] ?? '', part), part.column.colour?.(row), style)),
  );
  return `${[head, ...body].join('\n')}\n`;
}

interface LaidOut<Row> {
  readonly column: TableColumn<Row>;
  readonly cells: readonly string[];
  readonly width: number;
  readonly isName: boolean;
}

function thoseThatFit<Row>(all: readonly LaidOut<Row>[], width: number): LaidOut<Row>[] {
  const shown = [...all];
  const others = (): number =>
    shown.filter(({ isName }) => !isName).reduce((sum, part) => sum + part.width + GAP.length, 0);
  const nameWidth = all[0]?.width ?? 0;
  while (others() + Math.min(nameWidth, MIN_NAME) > width) {
    const [first] = shown
      .filter(({ column }) => column.spare !== undefined)
      .sort((a, b) => (b.column.spare ?? 0) - (a.column.spare ?? 0));
    if (first === undefined) break;
    shown.splice(shown.indexOf(first), 1);
  }
  const left = Math.max(Math.min(nameWidth, MIN_NAME), width - others());
  return shown.map((part) => (part.isName ? { ...part, width: Math.min(part.width, left) } : part));
}

function fitted<Row>(text: string, { width, isName, column }: LaidOut<Row>): string {
  const characters = [...text];
  if (characters.length > width) {
    return column.keepsEnd
      ? `…${characters.slice(characters.length - width + 1).join('')}`
      : `${characters.slice(0, width - 1).join('')}…`;
  }
  const space = ' '.repeat(width - characters.length);
  return isName ? text + space : space + text;
}

function lengthOf(text: string): number {
  return [...text].length;
}

/** The text in lines that fit; longer words are cut. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
    while (line.length > width && width > 0) {
      lines.push(line.slice(0, width));
      line = line.slice(width);
    }
  }
  return [...lines, line];
}
