import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { CommandRow } from '../../../src/present/command-rows.ts';
import type { ReplayQuestion } from '../../../src/present/replay-question.ts';
import { visible } from '../../../src/present/visible-text.ts';
import { ROUNDING, SeenRange } from './seen-range.ts';

/** How far the user has answered: whether all of the question has been on the screen, and what was typed. */
export interface ReplayAnswer {
  readonly isSeen: boolean;
  readonly typed: string;
}

export const UNANSWERED: ReplayAnswer = { isSeen: false, typed: '' };

export function canSend({ retype }: ReplayQuestion, { isSeen, typed }: ReplayAnswer): boolean {
  return isSeen && (retype === undefined || typed.trim() !== '');
}

interface QuestionProps {
  readonly question: ReplayQuestion;
  readonly answer: ReplayAnswer;
  onAnswer(change: (answer: ReplayAnswer) => ReplayAnswer): void;
}

/** What would be run, word by word. It notices when all of it has been on the screen. */
export function ReplayQuestionView({ question, answer, onAnswer }: QuestionProps): JSX.Element {
  const shown = useRef<HTMLElement>(null);
  useEffect(() => {
    const element = shown.current;
    if (element === null) return undefined;
    const range = new SeenRange();
    const look = (): void => {
      const { from, to } = uncovered(element);
      if (range.covers(element, from, to)) onAnswer((before) => (before.isSeen ? before : { ...before, isSeen: true }));
    };
    element.scrollTop = 0;
    // Scrolling of the dialog and of the window, too, decides what is on the screen. Scroll events do not bubble.
    document.addEventListener('scroll', look, true);
    window.visualViewport?.addEventListener('resize', look);
    window.visualViewport?.addEventListener('scroll', look);
    // Both also fire once now, after the first layout.
    const resized = new ResizeObserver(look);
    resized.observe(element);
    const moved = new IntersectionObserver(look, { threshold: [0, 0.25, 0.5, 0.75, 1] });
    moved.observe(element);
    return () => {
      document.removeEventListener('scroll', look, true);
      window.visualViewport?.removeEventListener('resize', look);
      window.visualViewport?.removeEventListener('scroll', look);
      resized.disconnect();
      moved.disconnect();
    };
  }, [question]);
  const { heading, rows, notes, retype } = question;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <section ref={shown} class="replay-command" tabIndex={0} aria-label="Command">
        <p>{heading}</p>
        {notes.map((note) => (
          <p key={note} class="replay-note">
            {visible(note)}
          </p>
        ))}
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a question never change
          <Row key={index} row={row} />
        ))}
      </section>
      {!answer.isSeen && <p class="live-dim">Scroll to the end of the command to enable “Replay”.</p>}
      {retype !== undefined && (
        <label class="replay-retype">
          {retype}
          <textarea
            rows={3}
            spellcheck={false}
            autocomplete="off"
            value={answer.typed}
            onInput={({ currentTarget: { value } }) => onAnswer((before) => ({ ...before, typed: value }))}
          />
        </label>
      )}
    </>
  );
}

/** The part of an element's box that is on the screen: that neither its dialog, nor the window, nor a pinch cuts off. */
function uncovered(element: HTMLElement): { readonly from: number; readonly to: number } {
  const box = element.getBoundingClientRect();
  const dialog = element.closest('dialog')?.getBoundingClientRect();
  const {
    offsetLeft: left,
    offsetTop: top,
    width,
    height,
  } = window.visualViewport ?? {
    offsetLeft: 0,
    offsetTop: 0,
    width: window.innerWidth,
    height: window.innerHeight,
  };
  // Lines that are cut off at a side have not been seen.
  if (box.left + ROUNDING < left || box.right - ROUNDING > left + width) return { from: 0, to: 0 };
  const bottom = Math.min(top + height, dialog?.bottom ?? top + height);
  return { from: Math.max(0, Math.max(top, dialog?.top ?? top) - box.top), to: Math.min(box.height, bottom - box.top) };
}

function Row({ row: { label, lines } }: { readonly row: CommandRow }): JSX.Element {
  return (
    <div class="replay-word">
      <span class="replay-label">{label}</span>
      <div>
        {lines.map((pieces, line) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a word never change
          <div key={line}>
            {pieces.map(({ text, isMark }, index) =>
              // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a line never change
              isMark ? <i key={index}>{text}</i> : <bdi key={index}>{visible(text)}</bdi>,
            )}
          </div>
        ))}
      </div>
    </div>
  );
}
