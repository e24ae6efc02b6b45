import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { pretty } from '../../../src/json/layout.ts';
import { draftAnswer, readAnswer } from '../../../src/protocol/written-message.ts';
import type { LiveDesk, Waiting } from './live-desk.ts';
import { onWritingKey } from './message-editor.tsx';

interface EditorProps {
  readonly desk: LiveDesk;
  readonly waiting: Waiting;
}

const ERROR: string = pretty('{"error":{"code":-32000,"message":""}}');

/** An answer in place of the one that the other side would give: a result, or an error. */
export function AnswerEditor({ desk, waiting }: EditorProps): JSX.Element {
  const result = draftAnswer(waiting.held.text) ?? '';
  const [text, setText] = useState(result);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);
  const answer = readAnswer(text);
  const send = (): void => {
    if (answer !== undefined) void desk.decide(waiting, { action: 'answer', ...answer });
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
        aria-label="The answer"
        aria-invalid={answer === undefined}
        spellcheck={false}
        rows={Math.min(24, text.split('\n').length + 2)}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => onWritingKey(event, send, () => desk.stopWriting())}
      />
      <p class="live-actions">
        <button type="submit" class="button" disabled={answer === undefined}>
          Send the answer
        </button>
        <button type="button" class="button" onClick={() => setText(result)}>
          A result
        </button>
        <button type="button" class="button" onClick={() => setText(ERROR)}>
          An error
        </button>
        <button type="button" class="button" onClick={() => desk.stopWriting()}>
          Cancel
        </button>
        <span class="live-fault" role="status">
          {answer === undefined ? '✕ An answer is {"result":…} or {"error":{"code":…,"message":…}}.' : ''}
        </span>
      </p>
    </form>
  );
}
