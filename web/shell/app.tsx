import type { JSX } from 'preact';
import { visible } from '../../src/present/visible-text.ts';
import { DetailPane } from '../detail/detail-pane.tsx';
import { loadedLater } from '../parts/loaded-later.tsx';
import { useDropTarget } from '../sources/drop-target.ts';
import { MergeOrCompare } from '../sources/merge-or-compare.tsx';
import { usePasteTarget } from '../sources/paste-target.ts';
import { usePage, usePlace } from '../state/page.ts';
import { LiveWaiting } from '../views/live/live-waiting.tsx';
import { viewOf } from '../views/views.ts';
import { Banners } from './banners.tsx';
import { FilterBar } from './filter-bar.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { Help } from './help.tsx';
import { useKeys } from './keys.ts';
import { Minimap } from './minimap.tsx';
import { Notices } from './notices.tsx';
import { Welcome } from './welcome.tsx';

const ReplayDialog = loadedLater(async () => (await import('../views/live/replay-dialog.tsx')).ReplayDialog);

/** The page: five bands, or the welcome screen if nothing is open. */
export function App(): JSX.Element {
  const page = usePage();
  const isOver = useDropTarget(page);
  usePasteTarget(page);
  useKeys(page);
  const { component: View, hasDetail, hasRows } = viewOf(usePlace('view'));
  const { lanes } = page.timeline.value;
  const isEmpty = !page.isOpen.value;
  const live = page.served.value?.live;
  const isDetailOpen = usePlace('selected') !== undefined && hasDetail;
  return (
    <div class={`page${isOver ? ' page-dropping' : ''}`}>
      {!isEmpty && <h1 class="unseen">{`mcpreel: ${lanes.map(({ label }) => visible(label)).join(', ')}`}</h1>}
      <Header />
      <Banners />
      {isEmpty && live !== undefined ? (
        <LiveWaiting live={live} />
      ) : isEmpty ? (
        <Welcome />
      ) : (
        <>
          {hasRows && <FilterBar />}
          {hasRows && <Minimap />}
          <main class={`stage${isDetailOpen ? ' stage-split' : ''}`}>
            <section class="stage-view">
              <View />
            </section>
            {isDetailOpen && <DetailPane />}
          </main>
          <Footer />
        </>
      )}
      <Notices />
      <MergeOrCompare />
      {page.served.value !== undefined && <ReplayDialog />}
      <Help />
    </div>
  );
}
