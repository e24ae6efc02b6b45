// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot leave out rows that are not visible
// biome-ignore-all lint/a11y/useFocusableInteractive: the content of the cells takes the focus
import type { ComponentChildren, JSX } from 'preact';

interface TablePartProps {
  readonly class: string;
  readonly children?: ComponentChildren;
}

/** A table with column titles that renders only the visible rows. */
export function VirtualTable({ label, rows, ...part }: TablePartProps & { label: string; rows: number }): JSX.Element {
  return <div role="table" aria-label={label} aria-rowcount={rows + 1} {...part} />;
}

export function TitleRow(part: TablePartProps): JSX.Element {
  return <div role="row" {...part} />;
}

export function TitleCell({ sorted, ...part }: TablePartProps & { sorted?: 'ascending' | 'descending' }): JSX.Element {
  return <span role="columnheader" aria-sort={sorted ?? 'none'} {...part} />;
}

/** A table row of a virtual list. */
export function TableRow({ isSelected, ...part }: TablePartProps & { isSelected?: boolean }): JSX.Element {
  return <div role="row" aria-current={isSelected} {...part} />;
}

export function Cell(part: TablePartProps): JSX.Element {
  return <span role="cell" {...part} />;
}
