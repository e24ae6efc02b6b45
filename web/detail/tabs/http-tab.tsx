import type { JSX } from 'preact';
import { ObjectView } from '../../../src/json/object-view.ts';
import { formatDuration, formatSize } from '../../../src/present/figures.ts';
import { visible } from '../../../src/present/visible-text.ts';
import type { EntryDetail } from '../../model/entry-detail.ts';
import { headersIn, type PageHeader } from '../../model/header-pairs.ts';
import { usePage } from '../../state/page.ts';

/** Shows the HTTP exchange of a message. */
export function HttpTab({ detail }: { readonly detail: EntryDetail }): JSX.Element {
  const page = usePage();
  const { entry, exchange } = detail;
  const raw = exchange?.raw ?? (entry.kind === 'event' ? entry.raw : '');
  const view = ObjectView.of(raw);
  if (view === undefined) return <p class="detail-none">The HTTP exchange was not recorded.</p>;
  const [ms, bytes] = [view.object('ms'), view.object('bytes')];
  const facts: [string, string | undefined][] = [
    ['status', view.textOf('status')],
    ['first byte after', sentMs(ms?.number('firstByte'))],
    ['ended after', sentMs(ms?.number('end'))],
    ['sent', sentBytes(bytes?.number('in'))],
    ['received', sentBytes(bytes?.number('out'))],
    ['error', view.string('error')],
  ];
  return (
    <>
      <p class="http-line">
        {visible(`${view.string('method') ?? ''} ${view.string('path') ?? ''}`)}{' '}
        {exchange !== undefined && (
          <button type="button" class="link" onClick={() => page.go({ selected: exchange.key })}>
            exchange {visible(view.textOf('exchange') ?? '')}
          </button>
        )}
      </p>
      <dl class="detail-facts">
        {facts.map(([name, value]) => value !== undefined && <Fact key={name} name={name} value={value} />)}
      </dl>
      <Headers title="Request headers" pairs={headersIn(view.value('requestHeaders'))} />
      <Headers title="Response headers" pairs={headersIn(view.value('responseHeaders'))} />
    </>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{visible(value)}</dd>
    </div>
  );
}

function Headers({ title, pairs }: { readonly title: string; readonly pairs: readonly PageHeader[] }): JSX.Element {
  return (
    <section class="detail-section">
      <h3>{title}</h3>
      {pairs.length === 0 && <p class="detail-none">None.</p>}
      <dl class="detail-headers">
        {pairs.map(([name, value], place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a header may occur several times
          <div key={place}>
            <dt>{visible(name)}</dt>
            <dd>{visible(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function sentMs(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : formatDuration(ms);
}

function sentBytes(bytes: number | undefined): string | undefined {
  return bytes === undefined ? undefined : formatSize(bytes);
}
