import type { JSX } from 'preact';
import { ObjectView } from '../../../src/json/object-view.ts';
import type { Entry } from '../../../src/model/entry.ts';
import type { EntryDetail } from '../../model/entry-detail.ts';
import { LongText } from '../../parts/content/long-text.tsx';
import { JsonTree } from '../../parts/json-tree/json-tree.tsx';
import { requestedIn } from '../message-parts.ts';

/** Shows the content of a notification, an event or any other entry. */
export function ContentTab({ detail }: { readonly detail: EntryDetail }): JSX.Element {
  const { entry, row } = detail;
  const line = lineIn(entry);
  if (line !== undefined) return <LongText text={line} />;
  if (entry.kind === 'event') return <JsonTree text={entry.raw} label="Event" />;
  const params = entry.kind === 'message' ? requestedIn(entry).main : undefined;
  if (params !== undefined) return <JsonTree text={params.text} label="Params" showsContent />;
  if (row.kind === 'notification') return <p class="detail-none">No params.</p>;
  return <JsonTree text={entry.text} label="Content" />;
}

/** The line that the server wrote to stdout or stderr. */
function lineIn(entry: Entry): string | undefined {
  if (entry.kind !== 'event' || !entry.event.startsWith('stdio.')) return undefined;
  return ObjectView.of(entry.raw)?.string('text');
}
