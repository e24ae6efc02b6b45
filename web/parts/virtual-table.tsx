// biome-ignore-all lint/a11y/useSemanticElements: of a long table only the rows on the screen exist, which no table can do
// biome-ignore-all lint/a11y/useFocusableInteractive: what is in the cells takes the focus
import type { ComponentChildren, JSX } from 'preact';

interface PartProps {
  readonly class: string;
  readonly children?: ComponentChildren;
}

/** A table of which only the rows on the screen exist: its titles, and a list of rows. */
export function VirtualTable({ label, rows, ...part }: PartProps & { label: string; rows: number }): JSX.Element {
  return <div role="table" aria-label={label} aria-rowcount={rows + 1} {...part} />;
}

export function TitleRow(part: PartProps): JSX.Element {
  return <div role="row" {...part} />;
}

export function TitleCell({ sorted, ...part }: PartProps & { sorted?: 'ascending' | 'descending' }): JSX.Element {
  return <span role="columnheader" aria-sort={sorted ?? 'none'} {...part} />;
}

/** One of the rows of a virtual list. */
export function TableRow({ isSelected, ...part }: PartProps & { isSelected?: boolean }): JSX.Element {
  return <div role="row" aria-current={isSelected} {...part} />;
}

export function Cell(part: PartProps): JSX.Element {
  return <span role="cell" {...part} />;
}
