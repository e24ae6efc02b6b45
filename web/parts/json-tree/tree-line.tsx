import type { JSX } from 'preact';
import { visible } from '../../../src/present/visible-text.ts';
import { formatCount } from '../../state/times.ts';
import { ShownPart } from '../content/shown-part.tsx';
import type { TreeRow } from './tree-model.ts';

interface TreeLineProps {
  readonly row: TreeRow;
  readonly isActive: boolean;
  readonly isFound: boolean;
}

/** Deeper levels share one indentation. */
const DEEPEST_INDENT = 24;
const INDENT_PX = 14;

/** One line of the tree, with its parts if it is open. */
export function TreeLine({ row, isActive, isFound }: TreeLineProps): JSX.Element {
  const indent = { paddingLeft: `${Math.min(row.level - 1, DEEPEST_INDENT) * INDENT_PX}px` };
  const classes = ['tree-item', isActive && 'active', isFound && 'found'].filter(Boolean).join(' ');
  const tabIndex = isActive ? 0 : -1;
  const common = {
    class: classes,
    'aria-level': Math.max(1, row.level),
    'aria-selected': isActive,
    'data-id': row.id,
    style: indent,
  } as const;
  if (row.kind === 'more') {
    return (
      <div {...common} role="treeitem" tabIndex={tabIndex} data-press={row.id}>
        <span class="tree-mark" />
        <span class="tree-more">… {formatCount(row.to - row.from)} more</span>
      </div>
    );
  }
  const { node, facts, isOpen, place, siblings } = row;
  return (
    <div
      {...common}
      role="treeitem"
      tabIndex={tabIndex}
      aria-expanded={facts.canOpen ? isOpen : undefined}
      aria-posinset={place}
      aria-setsize={siblings}
    >
      <div class="tree-line" data-press={row.id}>
        <span class="tree-mark" aria-hidden="true">
          {facts.canOpen ? (isOpen ? '▾' : '▸') : ''}
        </span>
        {node.label !== undefined && (
          <span class="tree-key">
            {visible(node.label)}
            {facts.canOpen && isOpen ? ' ' : ': '}
          </span>
        )}
        <Value row={row} />
      </div>
      {isOpen && facts.parts.map((part) => <ShownPart key={part.kind} part={part} />)}
    </div>
  );
}

function Value({ row }: { readonly row: Extract<TreeRow, { kind: 'node' }> }): JSX.Element {
  const { node, facts, isOpen } = row;
  const { kind } = node;
  const note = facts.note ?? (isOpen && kind === 'string' ? `${formatCount(node.value.length)} characters` : undefined);
  const isContainer = kind === 'object' || kind === 'array';
  return (
    <>
      {facts.count !== undefined && <span class="tree-note">[{facts.count}] </span>}
      {note !== undefined && <span class="tree-note">{visible(note)} </span>}
      {!facts.canOpen && kind === 'object' && <span class="tree-note">{'{}'}</span>}
      {!isOpen && facts.preview !== '' && (
        <span class={isContainer ? 'tree-note' : `tree-${kind}`}>{visible(facts.preview)}</span>
      )}
    </>
  );
}
