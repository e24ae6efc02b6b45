import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { CommandRow } from '../../../src/present/command-rows.ts';
import type { ReplayQuestion } from '../../../src/present/replay-question.ts';
import { visible } from '../../../src/present/visible-text.ts';
import { SeenRange } from './seen-range.ts';

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
    // Both also fire once now, after the first layout.
    const resized = new ResizeObserver(look);
    resized.observe(element);
    const moved = new IntersectionObserver(look, { threshold: [0, 0.25, 0.5, 0.75, 1] });
    moved.observe(element);
    return () => {
      document.removeEventListener('scroll', look, true);
      resized.disconnect();
      moved.disconnect();
    };
  }, [question]);
  const { heading, rows, notes, retype } = question;
  return (
    <>
      <p>{heading}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <section ref={shown} class="replay-command" tabIndex={0} aria-label="Command">
        {rows.map((row) => (
          <Row key={row.label} row={row} />
        ))}
      </section>
      {notes.map((note) => (
        <p key={note} class="replay-note">
          {visible(note)}
        </p>
      ))}
      {!answer.isSeen && <p class="live-dim">Scroll to the end of the command to enable “Send”.</p>}
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

/** The part of an element's box that neither its dialog nor the window cuts off. */
function uncovered(element: HTMLElement): { readonly from: number; readonly to: number } {
  const box = element.getBoundingClientRect();
  const dialog = element.closest('dialog')?.getBoundingClientRect();
  const top = Math.max(0, dialog?.top ?? 0);
  const bottom = Math.min(window.innerHeight, dialog?.bottom ?? window.innerHeight);
  return { from: Math.max(0, top - box.top), to: Math.min(box.height, bottom - box.top) };
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
