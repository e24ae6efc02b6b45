import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { usePage } from '../../state/page.ts';
import { copyText } from '../clipboard.ts';
import { LongText } from '../content/long-text.tsx';
import { treeMove } from './tree-keys.ts';
import { TreeLine } from './tree-line.tsx';
import { TreeModel, type TreeRow } from './tree-model.ts';
import { TreeSearchBar } from './tree-search-bar.tsx';

interface JsonTreeProps {
  readonly text: string;
  readonly label: string;
  /** Whether content blocks are rendered by their type. */
  readonly showsContent?: boolean;
  /** Whether this tree is next to another one and has no search bar. */
  readonly isMinor?: boolean;
}

/** Shows a JSON text as a tree, with its exact characters. Text that is not JSON is shown as is. */
export function JsonTree({ text, label, showsContent = false, isMinor = false }: JsonTreeProps): JSX.Element {
  const tree = useMemo(() => TreeModel.of(text, showsContent), [text, showsContent]);
  return tree === undefined ? (
    <LongText text={text} />
  ) : (
    <Tree key={text} tree={tree} label={label} isMinor={isMinor} />
  );
}

interface TreeProps {
  readonly tree: TreeModel;
  readonly label: string;
  readonly isMinor: boolean;
}

function Tree({ tree, label, isMinor }: TreeProps): JSX.Element {
  const page = usePage();
  const box = useRef<HTMLDivElement>(null);
  const [version, setVersion] = useState(0);
  const [active, setActive] = useState<string | undefined>(undefined);
  const [wantsFocus, setWantsFocus] = useState(false);
  const search = useTreeSearch(tree, (id) => {
    setActive(id);
    setVersion((old) => old + 1);
  });
  const rows = useMemo(() => tree.rows(), [tree, version]);
  const at = Math.max(
    0,
    rows.findIndex(({ id }) => id === active),
  );

  useEffect(() => {
    if (active === undefined) return;
    const line = box.current?.querySelector<HTMLElement>('.tree-item.active');
    line?.scrollIntoView({ block: 'nearest' });
    if (wantsFocus) line?.focus({ preventScroll: true });
    setWantsFocus(false);
  }, [active, version]);

  const change = (work: () => void): void => {
    work();
    setVersion(version + 1);
  };
  const press = (row: TreeRow): void => {
    setActive(row.id);
    if (row.kind === 'more') change(() => tree.showPage(row.parent, row.from));
    else if (row.facts.canOpen) change(() => tree.toggle(row.id, !row.isOpen));
  };
  const onClick = (event: MouseEvent): void => {
    const line = event.target instanceof Element ? event.target.closest('[data-press]') : null;
    const row = rows.find(({ id }) => id === line?.getAttribute('data-press'));
    if (row !== undefined) press(row);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // Buttons, links and players in a line handle their own keys.
    if (!(event.target instanceof HTMLElement) || event.target.getAttribute('role') !== 'treeitem') return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const move = treeMove(event.key, rows, at);
    const row = rows[at];
    if (move === undefined || row === undefined) return;
    event.preventDefault();
    setWantsFocus(true);
    if (move.kind === 'go') setActive(rows[move.to]?.id);
    else if (move.kind === 'press') press(row);
    else change(() => tree.toggle(row.id, move.isOpen));
  };
  const copy = async (what: 'path' | 'value'): Promise<void> => {
    const row = rows[at];
    if (row?.kind !== 'node') return;
    const done = what === 'path' ? `Copied the path: ${row.node.path}` : 'Copied the value.';
    page.notice.value = await copyText(row.node[what], done);
  };

  return (
    <div class="json-tree">
      {!isMinor && <TreeSearchBar label={label} {...search.bar} onCopy={(what) => void copy(what)} />}
      <div class="tree" role="tree" aria-label={label} ref={box} onClick={onClick} onKeyDown={onKeyDown}>
        {rows.map((row, index) => (
          <TreeLine
            key={row.id}
            row={row}
            isActive={index === at}
            isFound={search.bar.words !== '' && row.id === search.currentId}
          />
        ))}
      </div>
      {tree.isCut && <p class="part-note">Too many lines to show here. The Raw tab has all of them.</p>}
    </div>
  );
}

interface TreeSearch {
  readonly bar: {
    readonly words: string;
    readonly found: number;
    readonly current: number;
    onWords(words: string): void;
    onStep(step: 1 | -1): void;
  };
  readonly currentId: string | undefined;
}

/** The search in a tree and its current match. */
function useTreeSearch(tree: TreeModel, onReveal: (id: string | undefined) => void): TreeSearch {
  const [words, setWords] = useState('');
  const [current, setCurrent] = useState(0);
  const [currentId, setCurrentId] = useState<string | undefined>(undefined);
  const found = useMemo(() => tree.find(words), [tree, words]);
  const show = (ways: typeof found, place: number): void => {
    const way = ways[place];
    setCurrent(place);
    if (way === undefined) return;
    const id = tree.reveal(way);
    setCurrentId(id);
    onReveal(id);
  };
  return {
    bar: {
      words,
      found: found.length,
      current,
      onWords(next) {
        setWords(next);
        show(tree.find(next), 0);
      },
      onStep(step) {
        if (found.length > 0) show(found, (current + step + found.length) % found.length);
      },
    },
    currentId,
  };
}
