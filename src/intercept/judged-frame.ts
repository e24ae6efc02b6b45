import type { JsonText } from '../model/entry.ts';
import { type RpcBody, textsOf } from '../protocol/rpc-body.ts';
import type { IncomingMessage, JudgedFrame, JudgedMessage, MessageOutcome } from './held-message.ts';
import type { Interceptor } from './interceptor.ts';

/**
 * Requests the outcome of each message of a frame. Calls `onSettled` once all are known, possibly before it returns.
 */
export function askAbout(
  interceptor: Interceptor,
  frame: RpcBody,
  incoming: Omit<IncomingMessage, 'text'>,
  onSettled: (judged: JudgedFrame) => void,
): void {
  const isBatch = frame.kind === 'batch';
  const texts = textsOf(frame);
  const settled: MessageOutcome[] = [];
  let open = texts.length;
  for (const [index, text] of texts.entries()) {
    interceptor.admit({ ...incoming, text }, (settlement) => {
      settled[index] = settlement;
      open--;
      if (open > 0) return;
      const messages = texts.map((seen, at) => ({ text: seen, ...(settled[at] as MessageOutcome) }));
      onSettled({ isBatch, messages });
    });
  }
}

/** Whether none of the messages was held or ruled on. */
export function isUntouched({ messages }: JudgedFrame): boolean {
  return messages.every(({ id }) => id === undefined);
}

/** Whether every message is forwarded unchanged. */
export function isUnchanged({ messages }: JudgedFrame): boolean {
  return messages.every(({ decision }) => decision.action === 'forward');
}

/** The text to forward instead of the frame; `undefined` if nothing is forwarded. */
export function sentText(frame: JudgedFrame): string | undefined {
  const kept = keptTexts(frame);
  if (kept.length === 0) return undefined;
  return frame.isBatch ? `[${kept.join(',')}]` : kept.join('');
}

/** The texts of the messages that are forwarded, edits included. */
export function keptTexts({ messages }: JudgedFrame): string[] {
  return messages.flatMap(({ text, decision }) => {
    if (decision.action === 'forward') return [text];
    return decision.action === 'edit' ? [decision.text] : [];
  });
}

/** The responses that mcpreel returns to the sender of the messages. */
export function answersIn({ messages }: JudgedFrame): JsonText[] {
  return messages.flatMap(({ decision }) => (decision.action === 'answer' ? [decision.text] : []));
}

/** The same frame with every message dropped, because its receiver is gone. */
export function undelivered<Frame extends JudgedFrame>(judged: Frame): Frame {
  const messages = judged.messages.map((message): JudgedMessage => ({ ...message, decision: { action: 'drop' } }));
  return { ...judged, messages };
}
