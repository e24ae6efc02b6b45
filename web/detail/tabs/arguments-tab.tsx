import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { EntryDetail } from '../../model/entry-detail.ts';
import { JsonTree } from '../../parts/json-tree/json-tree.tsx';
import { requestedIn } from '../message-parts.ts';

/** Shows the arguments of a call. */
export function ArgumentsTab({ detail }: { readonly detail: EntryDetail }): JSX.Element {
  const { request } = detail;
  const requested = useMemo(() => request && requestedIn(request.entry), [request]);
  if (requested === undefined) return <p class="detail-none">No request.</p>;
  const { main, rest, method } = requested;
  return (
    <>
      {main === undefined ? (
        <p class="detail-none">No {method === 'tools/call' ? 'arguments' : 'params'}.</p>
      ) : (
        <JsonTree text={main.text} label={main.title} showsContent={method === 'sampling/createMessage'} />
      )}
      {rest !== undefined && (
        <section class="detail-section">
          <h3>Other params</h3>
          <JsonTree text={rest} label="Other params" isMinor />
        </section>
      )}
    </>
  );
}
