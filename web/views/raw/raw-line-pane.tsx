import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { formatSize } from '../../../src/present/figures.ts';
import { visible } from '../../../src/present/visible-text.ts';
import type { RawLine } from '../../model/raw/raw-lines.ts';
import { copyText } from '../../parts/clipboard.ts';
import { useAnswer } from '../../state/answer.ts';
import { usePage } from '../../state/page.ts';
import { formatCount } from '../../state/times.ts';

interface RawLinePaneProps {
  readonly lane: number;
  readonly line: number;
  readonly problem: string | undefined;
  readonly isThere: boolean;
}

/** The number of characters shown at once; a line may have millions. */
const AT_ONCE = 20_000;

const ENDINGS: Readonly<Record<RawLine['ending'], string>> = {
  lf: 'ends with a line feed',
  crlf: 'ends with CR and line feed',
  none: 'no line feed at the end',
};

/** One whole line, to read and copy. */
export function RawLinePane({ lane, line, problem, isThere }: RawLinePaneProps): JSX.Element {
  const page = usePage();
  const [isWhole, setIsWhole] = useState(false);
  const found = useAnswer(() => page.engine.rawLine(lane, line), [lane, line, isThere]);
  const openEntry = async (): Promise<void> => {
    const key = await page.engine.rawEntryAt(lane, line);
    if (key === undefined) page.notice.value = `Line ${line} has no row in the timeline.`;
    else page.show(key);
  };
  const copy = async (): Promise<void> => {
    page.notice.value = await copyText(found?.text ?? '', `Copied line ${line}.`);
  };
  const close = (): void => {
    const { line: _line, ...more } = page.place.value.more;
    page.go({ more, selected: undefined }, 'move');
  };
  return (
    <aside class="raw-pane" aria-label={`Line ${line}`}>
      <div class="raw-pane-head">
        <strong>Line {formatCount(line)}</strong>
        {found !== undefined && <span class="hint">{formatSize(found.bytes)}</span>}
        {found !== undefined && <span class="hint">{ENDINGS[found.ending]}</span>}
        {(problem !== undefined || found?.faultAt !== undefined) && (
          <span class="status-error">✕ {visible(problem ?? `not UTF-8 at byte ${found?.faultAt}`)}</span>
        )}
        <span class="header-space" />
        <button type="button" class="button" onClick={() => void openEntry()}>
          Show in timeline
        </button>
        <button type="button" class="button" onClick={() => void copy()}>
          Copy
        </button>
        <button type="button" class="icon" aria-label="Close" onClick={close}>
          ×
        </button>
      </div>
      {found?.faultAt !== undefined && (
        <p class="hint">Bytes that are not UTF-8 are shown as {'\uFFFD'}, so the text is not exact.</p>
      )}
      {found !== undefined && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
        <pre class="raw-whole" tabIndex={0}>
          {visible(isWhole ? found.text : found.text.slice(0, AT_ONCE))}
        </pre>
      )}
      {found !== undefined && !isWhole && found.text.length > AT_ONCE && (
        <button type="button" class="button" onClick={() => setIsWhole(true)}>
          Show all {formatCount(found.text.length)} characters
        </button>
      )}
      {found === undefined && !isThere && <p class="hint">No such line.</p>}
    </aside>
  );
}
