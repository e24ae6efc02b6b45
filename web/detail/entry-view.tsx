import type { JSX } from 'preact';
import type { EntryDetail } from '../model/entry-detail.ts';
import { usePage } from '../state/page.ts';
import { DetailHead } from './detail-head.tsx';
import { DetailTabs, PANEL, tabName } from './detail-tabs.tsx';
import { FindingsSection } from './findings-section.tsx';
import { openTab, type TabId, tabsFor } from './tab-kinds.ts';
import { ArgumentsTab } from './tabs/arguments-tab.tsx';
import { ContentTab } from './tabs/content-tab.tsx';
import { HttpTab } from './tabs/http-tab.tsx';
import { RawTab } from './tabs/raw-tab.tsx';
import { RelatedList } from './tabs/related-list.tsx';
import { RelatedTab } from './tabs/related-tab.tsx';
import { ResultTab } from './tabs/result-tab.tsx';
import { SchemaTab } from './tabs/schema-tab.tsx';
import { TimingTab } from './tabs/timing-tab.tsx';

const PANELS: Readonly<Record<TabId, (props: { readonly detail: EntryDetail }) => JSX.Element>> = {
  arguments: ArgumentsTab,
  result: ResultTab,
  content: ContentTab,
  raw: RawTab,
  timing: TimingTab,
  schema: SchemaTab,
  related: RelatedTab,
  http: HttpTab,
};

/** The maximum number of related lines that every tab shows. */
const FEW = 5;

/** The details of an entry: its head, findings and tabs. */
export function EntryView({ detail }: { readonly detail: EntryDetail }): JSX.Element {
  const page = usePage();
  const { more } = page.place.value;
  const open = openTab(detail, more.tab);
  const go = (tab: TabId): void => page.go({ more: { ...more, tab } }, 'move');
  const Panel = PANELS[open];
  return (
    <>
      <DetailHead detail={detail} />
      <DetailTabs tabs={tabsFor(detail)} open={open} onOpen={go} />
      <div class="detail-panel" role="tabpanel" id={PANEL} aria-labelledby={tabName(open)}>
        <Panel key={`${open} ${detail.key}`} detail={detail} />
      </div>
      {open !== 'related' && open !== 'timing' && <WhileItRan detail={detail} onAll={() => go('related')} />}
      <FindingsSection detail={detail} />
    </>
  );
}

function WhileItRan({ detail, onAll }: { readonly detail: EntryDetail; onAll(): void }): JSX.Element | null {
  const { related, request, session } = detail;
  if (related.length === 0) return null;
  return (
    <section class="detail-section">
      <h3>While it ran</h3>
      <RelatedList
        label="While it ran"
        related={related.slice(0, FEW)}
        startMs={session.hasTimes ? request?.entry.atMs : undefined}
      />
      {related.length > FEW && (
        <button type="button" class="link" onClick={onAll}>
          all {related.length}
        </button>
      )}
    </section>
  );
}
