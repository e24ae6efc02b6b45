import type { ClientStep, DialogueMessage, RecordedDialogue, ServerMessage } from '../recorded/recorded-dialogue.ts';

/** A step in the combined order of all dialogues of a session. */
export interface OrderedStep {
  readonly step: ClientStep;
  /** Server messages since the previous step, of all dialogues. */
  readonly arrived: readonly ServerMessage[];
  /** How long no message was sent before this step. */
  readonly pauseMs: number;
}

/** The steps of all dialogues in recorded order. */
export function* inOrder(dialogues: readonly RecordedDialogue[]): Generator<OrderedStep> {
  let arrived: ServerMessage[] = [];
  let lastMs: number | undefined;
  for (const message of messagesInOrder(dialogues)) {
    const { atMs } = message.entry;
    if (message.from === 'server') arrived.push(message);
    else {
      yield { step: message, arrived, pauseMs: Math.max(0, atMs - (lastMs ?? atMs)) };
      arrived = [];
    }
    lastMs = atMs;
  }
}

function messagesInOrder(dialogues: readonly RecordedDialogue[]): readonly DialogueMessage[] {
  const [only] = dialogues;
  // Most recordings have one client, so there is nothing to merge and sort.
  if (only !== undefined && dialogues.length === 1) return only.messages;
  return dialogues.flatMap(({ messages }) => messages).sort((a, b) => a.entry.sequence - b.entry.sequence);
}
