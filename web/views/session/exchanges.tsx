import type { JSX } from 'preact';
import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { formatDuration } from '../../../src/present/figures.ts';
import { visible } from '../../../src/present/visible-text.ts';
import type { PageHeader } from '../../model/header-pairs.ts';
import type { ExchangeFacts } from '../../model/session/session-exchanges.ts';
import { useAnswer } from '../../state/answer.ts';
import { usePage } from '../../state/page.ts';
import { formatCount } from '../../state/times.ts';
import { Part } from './fact-list.tsx';

const AT_ONCE = 100;
const COLUMNS = ['', 'Method', 'Path', 'Status', 'Sent', 'Received', 'Took', 'Messages'];

/** The HTTP requests of a session and their responses, in the order in which they ended. */
export function Exchanges({ lane, count }: { readonly lane: number; readonly count: number }): JSX.Element {
  const page = usePage();
  const [max, setMost] = useState(AT_ONCE);
  const exchanges = useAnswer(() => page.engine.exchanges(lane, 0, max), [lane, count, max]);
  return (
    <Part title="HTTP exchanges" aside={formatCount(count)}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it */}
      <div class="figures-box" tabIndex={0}>
        <table class="figures exchanges">
          <caption class="unseen">HTTP exchanges</caption>
          <thead>
            <tr>
              {COLUMNS.map((title) => (
                <th key={title} scope="col" class={title === 'Took' || title === 'Messages' ? 'number' : ''}>
                  {title === '' ? <span class="unseen">Headers</span> : title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {exchanges?.map((exchange) => (
              <Exchange key={exchange.key} exchange={exchange} />
            ))}
          </tbody>
        </table>
      </div>
      {count > max && (
        <button type="button" class="button" onClick={() => setMost(max * 4)}>
          Show more
        </button>
      )}
    </Part>
  );
}

function Exchange({ exchange }: { readonly exchange: ExchangeFacts }): JSX.Element {
  const page = usePage();
  const [isOpen, setIsOpen] = useState(false);
  const { method, path, status, error, sentType, receivedType, tookMs, messages, isWithTarget, isOwnAnswer } = exchange;
  const [first] = messages;
  const isBad = error !== undefined || (status ?? 0) >= 400;
  return (
    <Fragment>
      <tr>
        <td>
          <button
            type="button"
            aria-expanded={isOpen}
            aria-label={isOpen ? 'Hide headers' : 'Show headers'}
            onClick={() => setIsOpen(!isOpen)}
          >
            {isOpen ? '▾' : '▸'}
          </button>
        </td>
        <td>{visible(method)}</td>
        <td class="exchange-path">
          {visible(path)}
          {isWithTarget && <span class="note"> time of the target</span>}
          {isOwnAnswer && <span class="note"> answered by mcpreel</span>}
        </td>
        <td class={isBad ? 'status-error' : ''}>
          {isBad && '✕ '}
          {status ?? ''} {error !== undefined && visible(error)}
        </td>
        <td>{visible(sentType)}</td>
        <td>{visible(receivedType)}</td>
        <td class="number">{tookMs === undefined ? '' : formatDuration(tookMs)}</td>
        <td class="number">
          {first !== undefined && (
            <button type="button" class="link" onClick={() => page.show(first)}>
              {formatCount(messages.length)}
            </button>
          )}
        </td>
      </tr>
      {isOpen && (
        <tr class="exchange-headers">
          <td />
          <td colSpan={COLUMNS.length - 1}>
            <Headers title="Request" pairs={exchange.requestHeaders} />
            <Headers title="Response" pairs={exchange.responseHeaders} />
          </td>
        </tr>
      )}
    </Fragment>
  );
}

const REDACTED = /\[REDACTED[^\]]*\]/;

function Headers({ title, pairs }: { readonly title: string; readonly pairs: readonly PageHeader[] }): JSX.Element {
  return (
    <div class="headers">
      <h3 class="small-title">{title}</h3>
      {pairs.length === 0 && <p class="hint">Headers were not recorded.</p>}
      <dl>
        {pairs.map(([name, value], place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a header may occur several times
          <div key={place}>
            <dt>{visible(name)}</dt>
            <dd class={REDACTED.test(value) ? 'redacted' : ''}>
              {visible(value)}
              {REDACTED.test(value) && <span class="note"> redacted</span>}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
