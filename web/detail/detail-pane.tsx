import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { usePage } from '../state/page.ts';
import type { EntryView } from './entry-view.tsx';

/** The pane beside the list, with what is known of the selected entry. What shows it comes when it is first needed. */
export function DetailPane(): JSX.Element {
  const page = usePage();
  const [View, setView] = useState<typeof EntryView | undefined>(undefined);
  useEffect(() => {
    void import('./entry-view.tsx').then(({ EntryView: Loaded }) => setView(() => Loaded));
  }, []);
  const detail = page.detail.value;
  const isReady = View !== undefined && detail !== undefined;
  return (
    <aside class="detail" aria-label="Detail" aria-busy={!isReady}>
      {isReady && <View detail={detail} />}
    </aside>
  );
}
