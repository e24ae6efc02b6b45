import type { JSX } from 'preact';
import { diffLines, withContext } from '../../../src/json/line-diff.ts';
import { visible } from '../../parts/visible-text.ts';

const CONTEXT = 2;
const CLASSES = { ' ': '', '-': 'diff-minus', '+': 'diff-plus' } as const;

interface TextDiffProps {
  readonly before: string;
  readonly after: string;
}

/** What was taken out and put in between two texts. */
export function TextDiff({ before, after }: TextDiffProps): JSX.Element {
  const lines = withContext(diffLines(before.split('\n'), after.split('\n')), CONTEXT);
  return (
    <pre class="live-text live-diff">
      {lines.map((line, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line has nothing but its place to be known by
        <div key={place} class={line === undefined ? 'live-dim' : CLASSES[line.mark]}>
          {line === undefined ? '⋮' : `${line.mark} ${visible(line.text)}`}
        </div>
      ))}
    </pre>
  );
}
