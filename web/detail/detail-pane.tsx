import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { usePage } from '../state/page.ts';
import type { EntryView } from './entry-view.tsx';

/** The pane next to the list with the details of the selected entry. Its components load when first needed. */
export function DetailPane(): JSX.Element {
  const page = usePage();
  const [View, setView] = useState<typeof EntryView | undefined>(undefined);
  useEffect(() => {
    void import('./entry-view.tsx').then(({ EntryView: Loaded }) => setView(() => Loaded));
  }, []);
  const detail = page.detail.value;
  const isReady = View !== undefined && detail !== undefined;
  const pane = useRef<HTMLElement>(null);
  useFocusWhereItFills(pane, isReady);
  return (
    <aside class="detail" ref={pane} aria-label="Detail" aria-busy={!isReady}>
      {isReady && <View detail={detail} />}
    </aside>
  );
}

/** On a phone the pane replaces the list and takes the focus. When it closes, the focus returns to the list. */
function useFocusWhereItFills(pane: { readonly current: HTMLElement | null }, isReady: boolean): void {
  const before = useRef<Element | null>(null);
  useLayoutEffect(() => {
    before.current = document.activeElement;
    return () => {
      // The list is visible again only after the pane is removed.
      requestAnimationFrame(() => returnFocus(before.current));
    };
  }, []);
  useEffect(() => {
    if (isReady && matchMedia('(max-width: 480px)').matches) pane.current?.querySelector('button')?.focus();
  }, [isReady]);
}

function returnFocus(to: Element | null): void {
  if (document.activeElement !== document.body) return;
  const list = document.querySelector<HTMLElement>('.stage-view .virtual');
  if (to instanceof HTMLElement && to !== document.body && to.isConnected) to.focus();
  else list?.focus();
}
