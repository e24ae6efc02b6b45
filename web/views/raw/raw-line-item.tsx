import type { JSX } from 'preact';
import { textHead } from '../../../src/present/text-head.ts';
import { visible } from '../../../src/present/visible-text.ts';
import type { RawLine } from '../../model/raw/raw-lines.ts';

interface RawLineItemProps {
  readonly line: RawLine;
  readonly problem: string | undefined;
  readonly isSelected: boolean;
  onSelect(): void;
}

/** Wider than any screen. */
const MAX_SHOWN = 1000;

/** One line: its number, its problem and its text. */
export function RawLineItem({ line, problem, isSelected, onSelect }: RawLineItemProps): JSX.Element {
  const { number, text, isCut, ending } = line;
  const wrong = problem ?? (line.faultAt === undefined ? undefined : `not UTF-8 at byte ${line.faultAt}`);
  return (
    <li>
      <button
        type="button"
        class={`raw-line${wrong === undefined ? '' : ' raw-bad'}${isSelected ? ' selected' : ''}`}
        aria-current={isSelected}
        data-line={number}
        onClick={onSelect}
      >
        <span class="raw-number">{number}</span>
        <span class="raw-mark" title={wrong && visible(wrong)}>
          {wrong === undefined ? '' : '✕'}
        </span>
        <span class="raw-text">
          {wrong !== undefined && <span class="raw-why">{visible(wrong)} · </span>}
          {text === '' ? (
            <span class="raw-blank">blank</span>
          ) : (
            <span class="raw-content">{visible(textHead(text, MAX_SHOWN))}</span>
          )}
          {(isCut || text.length > MAX_SHOWN) && ' …'}
          {ending === 'crlf' && <span class="raw-ending">CR</span>}
          {ending === 'none' && <span class="raw-ending">no line feed</span>}
        </span>
      </button>
    </li>
  );
}
