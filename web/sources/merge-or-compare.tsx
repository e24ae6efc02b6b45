import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { visible } from '../../src/present/visible-text.ts';
import type { FileToOpen } from '../model/file-to-open.ts';
import { usePage } from '../state/page.ts';
import { openRecordings } from './open-files.ts';

const SIDES = ['A', 'B'] as const;

/** A dialog that asks whether to merge or compare two opened files. */
export function MergeOrCompare(): JSX.Element | null {
  const files = usePage().opening.undecided.value;
  return files === undefined ? null : <Question key={files.map(({ name }) => name).join()} files={files} />;
}

function Question({ files }: { readonly files: readonly FileToOpen[] }): JSX.Element {
  const page = usePage();
  const dialog = useRef<HTMLDialogElement>(null);
  const [order, setOrder] = useState(files);
  useEffect(() => dialog.current?.showModal(), []);
  const forget = (): void => {
    page.opening.undecided.value = undefined;
  };
  return (
    <dialog class="question" ref={dialog} aria-labelledby="question-title" onClose={forget}>
      <h2 id="question-title">Two recordings</h2>
      <ol class="question-files">
        {order.map((file, place) => (
          <li key={SIDES[place]}>
            <span class="question-side">{SIDES[place]}</span>
            <span class="question-name">{visible(file.name)}</span>
          </li>
        ))}
      </ol>
      <div class="question-answers">
        <button type="button" class="button button-main" onClick={() => void openRecordings(page, order)}>
          Show together
        </button>
        <button type="button" class="button" onClick={() => void openRecordings(page, order, { compares: true })}>
          Compare A with B
        </button>
        <button type="button" class="button" onClick={() => setOrder([...order].reverse())}>
          Swap
        </button>
        <button type="button" class="button" onClick={forget}>
          Cancel
        </button>
      </div>
      <p class="question-note">
        Shown together, both are merged into one timeline by time. For a comparison, A is the old recording and B the
        new one.
      </p>
    </dialog>
  );
}
