import type { JsonText } from '../model/entry.ts';
import { type RpcBody, textsOf } from '../protocol/rpc-body.ts';
import type { IncomingMessage, JudgedFrame, JudgedMessage, MessageOutcome } from './held-message.ts';
import type { Interceptor } from './interceptor.ts';

/** Asks what is to become of each message of a frame. `onSettled` is told once all is known, which may be at once. */
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

/** Whether none of the messages was held or touched. */
export function isUntouched({ messages }: JudgedFrame): boolean {
  return messages.every(({ id }) => id === undefined);
}

/** Whether all of it goes on as it came. */
export function isUnchanged({ messages }: JudgedFrame): boolean {
  return messages.every(({ decision }) => decision.action === 'forward');
}

/** What goes on in place of what came, if anything does. */
export function sentText(frame: JudgedFrame): string | undefined {
  const kept = keptTexts(frame);
  if (kept.length === 0) return undefined;
  return frame.isBatch ? `[${kept.join(',')}]` : kept.join('');
}

/** What goes on of each message of which something does. */
export function keptTexts({ messages }: JudgedFrame): string[] {
  return messages.flatMap(({ text, decision }) => {
    if (decision.action === 'forward') return [text];
    return decision.action === 'edit' ? [decision.text] : [];
  });
}

/** What whoever sent the messages is told by us. */
export function answersIn({ messages }: JudgedFrame): JsonText[] {
  return messages.flatMap(({ decision }) => (decision.action === 'answer' ? [decision.text] : []));
}

/** The same where nobody is left who could get it. */
export function undelivered<Frame extends JudgedFrame>(judged: Frame): Frame {
  const messages = judged.messages.map((message): JudgedMessage => ({ ...message, decision: { action: 'drop' } }));
  return { ...judged, messages };
}
