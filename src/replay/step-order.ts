import type { ClientStep, DialogueMessage, RecordedDialogue, ServerMessage } from '../recorded/recorded-dialogue.ts';

/** A step among those of all dialogues of a session. */
export interface OrderedStep {
  readonly step: ClientStep;
  /** What servers said since the step before, whichever dialogue either belongs to. */
  readonly arrived: readonly ServerMessage[];
  /** How long the clients waited before it, with nothing happening. */
  readonly pauseMs: number;
}

/** The steps of all dialogues in the order in which they happened. */
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
  // Most recordings are of one client, and nothing has to be gathered and sorted then.
  if (only !== undefined && dialogues.length === 1) return only.messages;
  return dialogues.flatMap(({ messages }) => messages).sort((a, b) => a.entry.sequence - b.entry.sequence);
}
