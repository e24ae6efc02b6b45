import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { numberText } from '../../../src/model/message-number.ts';
import { MARK_GLYPHS, MARK_WORDS } from '../../../src/present/glyphs.ts';
import { visible } from '../../../src/present/visible-text.ts';
import type { EntryKey } from '../../model/entry-key.ts';
import type { RowFacts } from '../../model/row-facts.ts';
import { MessageChange } from '../../parts/message-change.tsx';
import { useAnswer } from '../../state/answer.ts';
import { usePage } from '../../state/page.ts';
import { formatCount } from '../../state/times.ts';
import { Part } from './fact-list.tsx';

const AT_ONCE = 50;

/** The messages that were not forwarded unchanged. */
export function ChangedMessages({ keys }: { readonly keys: readonly EntryKey[] }): JSX.Element {
  const page = usePage();
  const [max, setMost] = useState(AT_ONCE);
  const rows = useAnswer(() => page.engine.rowsOf(keys.slice(0, max)), [keys.length, keys[0], max]);
  return (
    <Part title="Changed messages" aside={formatCount(keys.length)}>
      <ul class="changes">{rows?.map((row) => row !== undefined && <Changed key={row.key} row={row} />)}</ul>
      {keys.length > max && (
        <button type="button" class="button" onClick={() => setMost(max * 4)}>
          Show more
        </button>
      )}
    </Part>
  );
}

function Changed({ row }: { readonly row: RowFacts }): JSX.Element {
  const page = usePage();
  const [isOpen, setIsOpen] = useState(row.mark === 'modified');
  const mark = row.mark ?? 'modified';
  const open = (): void => page.show(row.key);
  return (
    <li>
      <div class="change-head">
        {mark === 'modified' && (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-label={isOpen ? 'Hide changes' : 'Show changes'}
            onClick={() => setIsOpen(!isOpen)}
          >
            {isOpen ? '▾' : '▸'}
          </button>
        )}
        <span class="change-mark">
          {MARK_GLYPHS[mark]} {MARK_WORDS[mark]}
        </span>
        <button type="button" class="link" onClick={open}>
          {numberText(row.sequence ?? 0)} {visible(row.name)}
        </button>
      </div>
      {isOpen && mark === 'modified' && <MessageChange of={row.key} />}
    </li>
  );
}
