import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { visible } from '../../src/present/visible-text.ts';
import type { FilterWord } from '../model/filter-words.ts';
import { usePage } from '../state/page.ts';
import { formatCount } from '../state/times.ts';
import { Chips } from './chips.tsx';
import { ExportMenu } from './export-menu.tsx';
import { complete, completionAt, type FilterCompletion, paintFilter } from './filter-completion.ts';

/** The filter input, with completion. */
export function FilterBar(): JSX.Element {
  const page = usePage();
  const input = useRef<HTMLInputElement>(null);
  const { filter } = page.place.value;
  const fault = page.filterFault.value;
  const [words, setWords] = useState<readonly FilterWord[]>([]);
  const [completion, setCompletion] = useState<FilterCompletion | undefined>(undefined);
  const [active, setActive] = useState(-1);
  const options = completion?.options ?? [];

  const suggest = (): void => {
    const element = input.current;
    if (element === null) return;
    setCompletion(completionAt(element.value, element.selectionStart ?? element.value.length, words));
    setActive(-1);
  };
  useEffect(() => {
    if (completion !== undefined) suggest();
  }, [words]);

  // Typing without a pause is one history step: "back" returns to the rows before it.
  const isTyping = useRef(false);
  const write = (text: string): void => {
    page.go({ filter: text }, isTyping.current ? 'move' : 'step');
    isTyping.current = true;
  };
  const take = (term: string): void => {
    if (completion === undefined) return;
    const { text, caret } = complete(filter, completion, term);
    write(text);
    setCompletion(undefined);
    requestAnimationFrame(() => input.current?.setSelectionRange(caret, caret));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = options[active];
    if (step !== undefined && options.length > 0) {
      event.preventDefault();
      setActive((active + step + options.length + 1) % (options.length + 1));
    } else if ((event.key === 'Enter' || event.key === 'Tab') && chosen !== undefined) {
      event.preventDefault();
      take(chosen.term);
    } else if (event.key === 'Enter') {
      setCompletion(undefined);
      input.current?.blur();
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      if (completion !== undefined && options.length > 0) setCompletion(undefined);
      else if (filter !== '') write('');
      else input.current?.blur();
    }
  };
  return (
    <search class="filter">
      <span class="filter-glyph" aria-hidden="true">
        ⌕
      </span>
      <div class="filter-box">
        <div class="filter-paint" aria-hidden="true">
          {paintFilter(filter).map(({ text, kind, at }) => (
            <span key={at} class={`paint-${kind}`}>
              {text}
            </span>
          ))}
        </div>
        <input
          ref={input}
          id="filter"
          class="filter-input"
          type="text"
          role="combobox"
          aria-label="Filter"
          aria-expanded={options.length > 0}
          aria-controls="filter-options"
          aria-activedescendant={active >= 0 ? `filter-option-${active}` : undefined}
          aria-invalid={fault !== undefined}
          aria-describedby={fault === undefined ? undefined : 'filter-fault'}
          placeholder="filter: tool:read status:error dur:>100ms"
          autocomplete="off"
          spellcheck={false}
          value={filter}
          onFocus={() => {
            void page.engine.filterWords().then(setWords);
            suggest();
          }}
          onBlur={() => {
            setCompletion(undefined);
            isTyping.current = false;
          }}
          onInput={(event) => {
            write(event.currentTarget.value);
            suggest();
          }}
          onKeyDown={onKeyDown}
        />
        <div
          class="filter-options"
          id="filter-options"
          role="listbox"
          aria-label="Suggestions"
          hidden={options.length === 0}
        >
          {options.map(({ term, count }, place) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the arrow keys and Enter
            <div
              key={term}
              id={`filter-option-${place}`}
              class="filter-option"
              role="option"
              tabIndex={-1}
              aria-selected={place === active}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(term)}
            >
              <span>{visible(term)}</span>
              <span class="filter-count">{count > 0 ? formatCount(count) : ''}</span>
            </div>
          ))}
        </div>
      </div>
      {fault !== undefined && (
        <span class="filter-fault" id="filter-fault" role="alert">
          {visible(fault)}
        </span>
      )}
      <Chips />
      <ExportMenu />
    </search>
  );
}
