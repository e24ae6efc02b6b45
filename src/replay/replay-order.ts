import type { ClientStep, DialogueMessage, RecordedDialogue, ServerMessage } from './recorded-dialogue.ts';

/** Something of one of several dialogues. */
export interface Of<Message> {
  readonly dialogue: RecordedDialogue;
  readonly message: Message;
}

/** A step among those of all dialogues of a session. */
export interface OrderedStep extends Of<ClientStep> {
  /** What servers said since the step before, whichever dialogue either belongs to. */
  readonly arrived: readonly Of<ServerMessage>[];
  /** How long the clients waited before it, with nothing happening. */
  readonly pauseMs: number;
}

/** The steps of all dialogues in the order in which they happened. */
export function* inOrder(dialogues: readonly RecordedDialogue[]): Generator<OrderedStep> {
  let arrived: Of<ServerMessage>[] = [];
  let lastMs: number | undefined;
  for (const { dialogue, message } of messagesInOrder(dialogues)) {
    const { atMs } = message.entry;
    if (message.from === 'server') arrived.push({ dialogue, message });
    else {
      yield { dialogue, message, arrived, pauseMs: Math.max(0, atMs - (lastMs ?? atMs)) };
      arrived = [];
    }
    lastMs = atMs;
  }
}

function* messagesInOrder(dialogues: readonly RecordedDialogue[]): Generator<Of<DialogueMessage>> {
  const [only] = dialogues;
  if (only !== undefined && dialogues.length === 1) {
    // Most recordings are of one client, and nothing has to be gathered and sorted then.
    for (const message of only.messages) yield { dialogue: only, message };
    return;
  }
  const all = dialogues.flatMap((dialogue) => dialogue.messages.map((message) => ({ dialogue, message })));
  yield* all.sort((a, b) => a.message.entry.sequence - b.message.entry.sequence);
}
