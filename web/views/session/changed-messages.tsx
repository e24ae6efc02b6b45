import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { EntryKey } from '../../engine/entry-key.ts';
import type { Row } from '../../engine/row-facts.ts';
import { visible } from '../../parts/visible-text.ts';
import { useAnswer } from '../../state/answer.ts';
import { usePage } from '../../state/page.ts';
import { sayCount } from '../../state/times.ts';
import { Part } from './fact-list.tsx';

const AT_ONCE = 50;
const MARKS = { modified: '✎', dropped: '✕', injected: '+' } as const;
const WORDS = {
  modified: 'changed on its way',
  dropped: 'went no further',
  injected: 'said by mcpreel',
} as const;

/** Messages that were not passed on as they came. */
export function ChangedMessages({ keys }: { readonly keys: readonly EntryKey[] }): JSX.Element {
  const page = usePage();
  const [most, setMost] = useState(AT_ONCE);
  const rows = useAnswer(() => page.engine.rowsOf(keys.slice(0, most)), [keys.length, keys[0], most]);
  return (
    <Part title="Changed messages" aside={sayCount(keys.length)}>
      <ul class="changes">{rows?.map((row) => row !== undefined && <Changed key={row.key} row={row} />)}</ul>
      {keys.length > most && (
        <button type="button" class="button" onClick={() => setMost(most * 4)}>
          Show more
        </button>
      )}
    </Part>
  );
}

function Changed({ row }: { readonly row: Row }): JSX.Element {
  const page = usePage();
  const [isOpen, setIsOpen] = useState(row.mark === 'modified');
  const mark = row.mark ?? 'modified';
  const open = (): void => page.go({ view: 'timeline', selected: row.key, filter: '', range: undefined });
  return (
    <li>
      <div class="change-head">
        {mark === 'modified' && (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-label={isOpen ? 'Hide what was changed' : 'Show what was changed'}
            onClick={() => setIsOpen(!isOpen)}
          >
            {isOpen ? '▾' : '▸'}
          </button>
        )}
        <span class="change-mark">
          {MARKS[mark]} {WORDS[mark]}
        </span>
        <button type="button" class="link" onClick={open}>
          #{String(row.sequence ?? 0).padStart(3, '0')} {visible(row.name)}
        </button>
      </div>
      {isOpen && mark === 'modified' && <Difference of={row.key} />}
    </li>
  );
}

function Difference({ of }: { readonly of: EntryKey }): JSX.Element | null {
  const page = usePage();
  const change = useAnswer(() => page.engine.changeOf(of), [of]);
  if (change === undefined) return null;
  if (change.isTooLong) return <p class="hint">Too long to be compared.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre class="change-lines" tabIndex={0}>
      {change.lines?.map((line, place) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
          key={place}
          class={line?.mark === '-' ? 'taken-out' : line?.mark === '+' ? 'put-in' : ''}
        >
          {line === undefined ? '  ⋮' : `${line.mark} ${visible(line.text)}`}
          {'\n'}
        </span>
      ))}
    </pre>
  );
}
