import type { JSX } from 'preact';
import { DetailPane } from '../detail/detail-pane.tsx';
import { useDropTarget } from '../sources/drop-target.ts';
import { usePage } from '../state/page.ts';
import { viewOf } from '../views/views.ts';
import { FilterBar } from './filter-bar.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { Minimap } from './minimap.tsx';
import { Notices } from './notices.tsx';
import { Welcome } from './welcome.tsx';

/** The page: five bands, or a welcome where nothing is open. */
export function App(): JSX.Element {
  const page = usePage();
  const isOver = useDropTarget(page);
  const { component: View, hasDetail, hasRows } = viewOf(page.place.value.view);
  const isEmpty = !page.isOpen.value;
  const isDetailOpen = hasDetail && page.place.value.selected !== undefined;
  return (
    <div class={`page${isOver ? ' page-dropping' : ''}`}>
      <Header />
      {isEmpty ? (
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
    </div>
  );
}
