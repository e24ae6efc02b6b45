import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { textHead } from '../../../src/present/text-head.ts';
import { visible } from '../../../src/present/visible-text.ts';
import { formatCount } from '../../state/times.ts';
import { textPieces } from './text-pieces.ts';

interface LongTextProps {
  readonly text: string;
  /** The number of characters to show at first. */
  readonly first?: number;
}

/** A text of any length with its line breaks. The browser lays out only the visible part. */
export function LongText({ text, first = 20_000 }: LongTextProps): JSX.Element {
  const [isWhole, setIsWhole] = useState(text.length <= first);
  const shown = isWhole ? text : textHead(text, first);
  return (
    <div class="long-text">
      <pre>
        {textPieces(visible(shown)).map((piece) => (
          <span key={piece.at} class="long-text-piece">
            {piece.text}
          </span>
        ))}
      </pre>
      {!isWhole && (
        <button type="button" class="link" onClick={() => setIsWhole(true)}>
          show all {formatCount(text.length)} characters
        </button>
      )}
    </div>
  );
}
