import type { TreeRow } from './tree-model.ts';

/** The effect of a key in the tree: select another line, or open or close one. */
export type TreeMove =
  | { readonly kind: 'go'; readonly to: number }
  | { readonly kind: 'toggle'; readonly isOpen: boolean }
  | { readonly kind: 'press' };

/** The effect of a key on a line, following the usual tree view conventions. */
export function treeMove(key: string, rows: readonly TreeRow[], at: number): TreeMove | undefined {
  const row = rows[at];
  if (row === undefined) return undefined;
  const canOpen = row.kind === 'node' && row.facts.canOpen;
  const isOpen = row.kind === 'node' && row.isOpen;
  switch (key) {
    case 'ArrowDown':
      return go(Math.min(rows.length - 1, at + 1));
    case 'ArrowUp':
      return go(Math.max(0, at - 1));
    case 'Home':
      return go(0);
    case 'End':
      return go(rows.length - 1);
    case 'ArrowRight':
      if (canOpen && !isOpen) return { kind: 'toggle', isOpen: true };
      return isOpen && (rows[at + 1]?.level ?? 0) > row.level ? go(at + 1) : undefined;
    case 'ArrowLeft':
      if (isOpen) return { kind: 'toggle', isOpen: false };
      return go(parentOf(rows, at));
    case 'Enter':
    case ' ':
      return { kind: 'press' };
    default:
      return undefined;
  }
}

function go(to: number): TreeMove {
  return { kind: 'go', to };
}

function parentOf(rows: readonly TreeRow[], at: number): number {
  const level = rows[at]?.level ?? 0;
  for (let i = at - 1; i >= 0; i--) if ((rows[i]?.level ?? 0) < level) return i;
  return at;
}
