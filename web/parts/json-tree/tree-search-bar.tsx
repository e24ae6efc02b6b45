import type { JSX } from 'preact';
import { formatCount } from '../../state/times.ts';

interface TreeSearchBarProps {
  readonly label: string;
  readonly words: string;
  readonly found: number;
  /** The index of the current match, from 0. */
  readonly current: number;
  onWords(words: string): void;
  onStep(step: 1 | -1): void;
  onCopy(what: 'path' | 'value'): void;
}

/** A bar to search a tree, and to copy the selected value. */
export function TreeSearchBar(props: TreeSearchBarProps): JSX.Element {
  const { label, words, found, current, onWords, onStep, onCopy } = props;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') {
      event.preventDefault();
      onStep(event.shiftKey ? -1 : 1);
    } else if (event.key === 'Escape' && words !== '') {
      event.preventDefault();
      onWords('');
    }
  };
  return (
    <div class="tree-bar">
      <input
        class="tree-search"
        type="search"
        placeholder="find"
        aria-label={`Find in ${label}`}
        spellcheck={false}
        value={words}
        onInput={(event) => onWords(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {words !== '' && (
        <>
          <span role="status">{found === 0 ? 'nothing' : `${formatCount(current + 1)} of ${formatCount(found)}`}</span>
          <button
            type="button"
            class="icon"
            aria-label="Previous match"
            disabled={found === 0}
            onClick={() => onStep(-1)}
          >
            ↑
          </button>
          <button type="button" class="icon" aria-label="Next match" disabled={found === 0} onClick={() => onStep(1)}>
            ↓
          </button>
        </>
      )}
      <span class="tree-bar-space" />
      <button type="button" class="link" onClick={() => onCopy('path')}>
        Copy path
      </button>
      <button type="button" class="link" onClick={() => onCopy('value')}>
        Copy value
      </button>
    </div>
  );
}
