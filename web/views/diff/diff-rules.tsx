import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { sayingLeftOut } from '../../../src/model/shell-line.ts';
import { visible } from '../../../src/present/visible-text.ts';
import type { DiffChoice } from '../../model/diff/diff-facts.ts';
import { copyText } from '../../parts/clipboard.ts';
import { saveFile } from '../../parts/save-file.ts';
import { usePage } from '../../state/page.ts';
import { changeChoice, flagsFor } from './diff-place.ts';

/** The ignore rules of the comparison, and the equivalent command-line flags. */
export function DiffRules({ choice }: { readonly choice: DiffChoice }): JSX.Element | null {
  const page = usePage();
  const [showsFlags, setShowsFlags] = useState(false);
  const { rules } = choice;
  if (rules.length === 0) return null;
  const flags = flagsFor(choice);
  const copy = async (): Promise<void> => {
    page.notice.value = await copyText(flags, sayingLeftOut('Copied the flags.', flags));
  };
  return (
    <section class="diff-rules" aria-label="Ignored">
      <h2>Ignored</h2>
      <ul>
        {rules.map((rule) => (
          <li key={rule}>
            <code>{visible(rule)}</code>
            <button
              type="button"
              class="icon"
              aria-label={`Compare ${visible(rule)} again`}
              title="Compare it again"
              onClick={() => changeChoice(page, { rules: rules.filter((other) => other !== rule) })}
            >
              ✕
            </button>
          </li>
        ))}
      </ul>
      <p class="diff-answers">
        <button type="button" class="button" aria-expanded={showsFlags} onClick={() => setShowsFlags(!showsFlags)}>
          Show as flags
        </button>
        <button type="button" class="button" onClick={() => saveRules(rules)}>
          Download as rules file
        </button>
      </p>
      {showsFlags && (
        <p class="diff-flags">
          <code>{visible(flags)}</code>
          <button type="button" class="button" onClick={() => void copy()}>
            Copy
          </button>
        </p>
      )}
    </section>
  );
}

/** Saves the rules as a file for `--ignore-file`. */
function saveRules(rules: readonly string[]): void {
  saveFile('ignore.txt', new Blob([`${rules.join('\n')}\n`], { type: 'text/plain' }));
}
