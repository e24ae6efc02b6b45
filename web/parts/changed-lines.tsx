import type { JSX } from 'preact';
import type { DiffLine } from '../../src/json/line-diff.ts';
import { visible } from './visible-text.ts';

const CLASSES = { ' ': '', '-': 'diff-minus', '+': 'diff-plus' } as const;

/** A line diff of removed and added lines; `undefined` stands for omitted lines. */
export function ChangedLines({ lines }: { readonly lines: readonly (DiffLine | undefined)[] }): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre class="changed-lines" tabIndex={0}>
      {lines.map((line, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line has nothing but its place to be known by
        <div key={place} class={line === undefined ? 'diff-rest' : CLASSES[line.mark]}>
          {line === undefined ? '⋮' : `${line.mark} ${visible(line.text)}`}
        </div>
      ))}
    </pre>
  );
}
