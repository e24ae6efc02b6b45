import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { TabId, TabKind } from './tab-kinds.ts';

interface DetailTabsProps {
  readonly tabs: readonly TabKind[];
  readonly open: TabId;
  onOpen(id: TabId): void;
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/** The tabs of an entry's details; the arrow keys move between them. */
export function DetailTabs({ tabs, open, onOpen }: DetailTabsProps): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = tabs.findIndex(({ id }) => id === open);
    const step = STEPS[event.key];
    const to = step === undefined ? EDGES[event.key]?.(tabs.length) : (at + step + tabs.length) % tabs.length;
    const next = to === undefined ? undefined : tabs[to];
    if (next === undefined) return;
    event.preventDefault();
    onOpen(next.id);
    list.current?.querySelector<HTMLElement>(`#${tabName(next.id)}`)?.focus();
  };
  return (
    <div class="detail-tabs" role="tablist" aria-label="Detail" ref={list} onKeyDown={onKeyDown}>
      {tabs.map(({ id, title }) => (
        <button
          key={id}
          type="button"
          role="tab"
          id={tabName(id)}
          class="detail-tab"
          aria-selected={id === open}
          aria-controls={PANEL}
          tabIndex={id === open ? 0 : -1}
          onClick={() => onOpen(id)}
        >
          {title}
        </button>
      ))}
    </div>
  );
}

const EDGES: Readonly<Record<string, (count: number) => number>> = { Home: () => 0, End: (count) => count - 1 };

/** The DOM ids of a tab and of the panel that it opens. */
export const PANEL = 'detail-panel';
export function tabName(id: TabId): string {
  return `detail-tab-${id}`;
}
