import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { EntryDetail } from '../../model/entry-detail.ts';
import { JsonTree } from '../../parts/json-tree/json-tree.tsx';
import { answeredIn } from '../message-parts.ts';

/** Shows the result of a call, with each content block rendered by its type. */
export function ResultTab({ detail }: { readonly detail: EntryDetail }): JSX.Element {
  const { answer, outcome } = detail;
  const answered = useMemo(() => answer && answeredIn(answer.entry), [answer]);
  if (answer === undefined) return <p class="detail-none">{whyNothing(outcome?.status)}</p>;
  if (answered === undefined) return <JsonTree text={answer.entry.text} label="Answer" />;
  return (
    <JsonTree
      text={answered.text}
      label={answered.kind === 'error' ? 'Error' : 'Result'}
      showsContent={answered.kind === 'result'}
    />
  );
}

function whyNothing(status: string | undefined): string {
  switch (status) {
    case 'cancelled':
      return 'Cancelled, no response.';
    case 'pending':
      return 'No response.';
    default:
      return 'No response yet.';
  }
}
