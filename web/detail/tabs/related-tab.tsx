import type { JSX } from 'preact';
import { numberText } from '../../../src/model/message-number.ts';
import type { EntryDetail, PlacedMessage } from '../../model/entry-detail.ts';
import { usePage } from '../../state/page.ts';
import { RelatedList } from './related-list.tsx';

/** Shows everything that belongs to a call: its request, its response, and the messages sent while it ran. */
export function RelatedTab({ detail }: { readonly detail: EntryDetail }): JSX.Element {
  const { request, answer, related, session } = detail;
  return (
    <>
      <p class="related-pair">
        {request !== undefined && <Jump title="▶ request" to={request} current={detail.key} />}
        {answer !== undefined && <Jump title="◀ answer" to={answer} current={detail.key} />}
      </p>
      {related.length === 0 ? (
        <p class="detail-none">No other messages during this call.</p>
      ) : (
        <RelatedList
          label="Related messages"
          related={related}
          startMs={session.hasTimes ? request?.entry.atMs : undefined}
        />
      )}
    </>
  );
}

interface JumpProps {
  readonly title: string;
  readonly to: PlacedMessage;
  readonly current: number;
}

function Jump({ title, to, current }: JumpProps): JSX.Element {
  const page = usePage();
  return (
    <button
      type="button"
      class="link"
      aria-current={to.key === current}
      disabled={to.key === current}
      onClick={() => page.go({ selected: to.key })}
    >
      {title} {numberText(to.entry.sequence)}
    </button>
  );
}
