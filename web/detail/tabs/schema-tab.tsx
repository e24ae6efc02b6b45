import type { JSX } from 'preact';
import { ObjectView } from '../../../src/json/object-view.ts';
import { visible } from '../../../src/present/visible-text.ts';
import type { EntryDetail } from '../../model/entry-detail.ts';
import type { SchemaVerdict } from '../../model/schema-check.ts';
import { LongText } from '../../parts/content/long-text.tsx';
import { JsonTree } from '../../parts/json-tree/json-tree.tsx';
import { useAnswer } from '../../state/answer.ts';
import { usePage } from '../../state/page.ts';

/** Shows the tool's schemas, and whether a call matches them. */
export function SchemaTab({ detail }: { readonly detail: EntryDetail }): JSX.Element {
  const page = usePage();
  const { key, answer } = detail;
  const facts = useAnswer(() => page.engine.schemaCheck(key), [key, answer === undefined]);
  if (facts === undefined) return <p class="detail-none">Checking…</p>;
  const { definition, input, output } = facts;
  if (definition === undefined) {
    return <p class="detail-none">The recording has no definition of this tool.</p>;
  }
  const view = ObjectView.of(definition);
  const description = view?.string('description');
  return (
    <>
      <Verdict title="Arguments" verdict={input} schema="inputSchema" />
      <Verdict title="Structured result" verdict={output} schema="outputSchema" />
      {description !== undefined && (
        <section class="detail-section">
          <h3>Description</h3>
          <LongText text={description} />
        </section>
      )}
      <section class="detail-section">
        <h3>Definition</h3>
        <JsonTree text={view?.only((key) => key !== 'description') ?? definition} label="Definition" />
      </section>
    </>
  );
}

interface VerdictProps {
  readonly title: string;
  readonly verdict: SchemaVerdict;
  readonly schema: string;
}

function Verdict({ title, verdict, schema }: VerdictProps): JSX.Element {
  switch (verdict.kind) {
    case 'fits':
      return (
        <p class="verdict">
          <span class="tone-ok">✓</span> {title}: valid against the {schema}.
        </p>
      );
    case 'fault':
      return (
        <p class="verdict">
          <span class="tone-error">✕</span> {title}: not valid against the {schema}:{' '}
          {verdict.faults.map(({ where, why }, index) => (
            <>
              {index > 0 && '; '}
              {where === '' ? 'the value' : <code>{visible(where)}</code>} {visible(why)}
            </>
          ))}
        </p>
      );
    default:
      return (
        <p class="verdict verdict-skipped">
          – {title}: not checked against the {schema}: {visible(verdict.why)}.
        </p>
      );
  }
}
