import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { formatUnseen } from './unseen-words.ts';

interface WritingFormProps {
  readonly label: string;
  readonly text: string;
  readonly isInvalid: boolean;
  readonly rows: number;
  /** The content below the text: buttons and hints. */
  readonly children: ComponentChildren;
  onText(text: string): void;
  send(): void;
  leave(): void;
}

const MAX_ROWS = 24;

/** A form to write and send a text. Ctrl+S and Ctrl+Enter send it, Esc closes the form. */
export function WritingForm(props: WritingFormProps): JSX.Element {
  const { label, text, isInvalid, rows, children, onText, send, leave } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);
  // A text field does not show these characters, and some of them reverse the text around them.
  const unseen = useMemo(() => formatUnseen(text), [text]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const isSending = (event.ctrlKey || event.metaKey) && (event.key === 's' || event.key === 'Enter');
    if (!isSending && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    if (isSending) send();
    else leave();
  };
  return (
    <form
      class="live-editor"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        ref={area}
        class="live-area"
        aria-label={label}
        aria-invalid={isInvalid}
        spellcheck={false}
        rows={Math.min(MAX_ROWS, rows)}
        value={text}
        onInput={(event) => onText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <p class="live-unseen" role="status">
        {unseen}
      </p>
      {children}
    </form>
  );
}
