import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { pretty } from '../../../src/json/layout.ts';
import { ObjectView } from '../../../src/json/object-view.ts';
import { sentText } from '../../../src/protocol/written-message.ts';
import type { LiveController, WaitingDecision } from './live-controller.ts';
import { TextDiff } from './text-diff.tsx';
import { WritingForm } from './writing-form.tsx';

interface MessageEditorProps {
  readonly controller: LiveController;
  readonly waiting: WaitingDecision;
}

/** An editor for a held message. The sent text differs from the edited text only in white space. */
export function MessageEditor({ controller, waiting }: MessageEditorProps): JSX.Element {
  const { held } = waiting;
  const before = pretty(held.changedText ?? held.text);
  const [text, setText] = useState(before);
  const isObject = ObjectView.of(text) !== undefined;
  const isChanged = sentText(text) !== sentText(before);
  const send = (): void =>
    void controller.decide(waiting, { action: 'edit', text: sentText(text), ...(isObject ? {} : { confirmed: true }) });
  return (
    <WritingForm
      label="Message"
      text={text}
      isInvalid={!isObject}
      rows={before.split('\n').length + 2}
      onText={setText}
      send={send}
      leave={() => controller.stopWriting()}
    >
      <p class="live-actions">
        <button type="submit" class="button" disabled={!isChanged}>
          {isObject ? 'Send edited message' : 'Send anyway: not a JSON object'}
        </button>
        <button type="button" class="button" onClick={() => controller.stopWriting()}>
          Cancel
        </button>
        <span class={isObject ? 'live-dim' : 'live-fault'} role="status">
          {isObject ? (isChanged ? '' : 'No changes yet.') : '✕ Not a JSON object.'}
        </span>
      </p>
      {isChanged && <TextDiff before={before} after={isObject ? pretty(text) : text} />}
    </WritingForm>
  );
}
