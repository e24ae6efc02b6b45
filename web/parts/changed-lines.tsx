import type { JSX } from 'preact';
import type { DiffLine } from '../../src/json/line-diff.ts';
import { visible } from '../../src/present/visible-text.ts';

const CLASSES = { ' ': '', '-': 'diff-minus', '+': 'diff-plus' } as const;

/** A line diff of removed and added lines; `undefined` stands for omitted lines. */
export function ChangedLines({ lines }: { readonly lines: readonly (DiffLine | undefined)[] }): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
    <pre class="changed-lines" tabIndex={0}>
      {lines.map((line, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: only the index identifies a line
        <div key={place} class={line === undefined ? 'diff-rest' : CLASSES[line.mark]}>
          {line === undefined ? '⋮' : `${line.mark} ${visible(line.text)}`}
        </div>
      ))}
    </pre>
  );
}
