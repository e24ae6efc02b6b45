import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { pretty } from '../../../src/json/layout.ts';
import { draftAnswer, readAnswer } from '../../../src/protocol/written-message.ts';
import type { LiveController, WaitingDecision } from './live-controller.ts';
import { WritingForm } from './writing-form.tsx';

interface AnswerEditorProps {
  readonly controller: LiveController;
  readonly waiting: WaitingDecision;
}

const ERROR: string = pretty('{"error":{"code":-32000,"message":""}}');

/** An editor for a result or an error that answers a held request. */
export function AnswerEditor({ controller, waiting }: AnswerEditorProps): JSX.Element {
  const result = draftAnswer(waiting.held.text) ?? '';
  const [text, setText] = useState(result);
  const answer = readAnswer(text);
  const send = (): void => {
    if (answer !== undefined) void controller.decide(waiting, { action: 'answer', ...answer });
  };
  return (
    <WritingForm
      label="Response"
      text={text}
      isInvalid={answer === undefined}
      rows={text.split('\n').length + 2}
      onText={setText}
      send={send}
      leave={() => controller.stopWriting()}
    >
      <p class="live-actions">
        <button type="submit" class="button" disabled={answer === undefined}>
          Send response
        </button>
        <button type="button" class="button" onClick={() => setText(result)}>
          Insert result template
        </button>
        <button type="button" class="button" onClick={() => setText(ERROR)}>
          Insert error template
        </button>
        <button type="button" class="button" onClick={() => controller.stopWriting()}>
          Cancel
        </button>
        <span class="live-fault" role="status">
          {answer === undefined ? '✕ Write {"result":…} or {"error":{"code":…,"message":…}}.' : ''}
        </span>
      </p>
    </WritingForm>
  );
}
