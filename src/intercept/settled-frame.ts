import type { JsonText } from '../model/entry.ts';
import type { Settlement } from './held-message.ts';

/** What a gate does with the settled messages of one frame: a line, an HTTP body or an event. */

/** Whether none of the messages was held or ruled on. */
export function isUntouched(settled: readonly Settlement[]): boolean {
  return settled.every(({ id }) => id === '');
}

/** Whether every message is forwarded unchanged. */
export function isUnchanged(settled: readonly Settlement[]): boolean {
  return settled.every(({ decision }) => decision.action === 'forward');
}

export function isBatch([first]: readonly Settlement[]): boolean {
  return first?.inBatch === true;
}

/** The text to forward instead of the frame; `undefined` if nothing is forwarded. */
export function sentText(settled: readonly Settlement[]): string | undefined {
  const kept = keptTexts(settled);
  if (kept.length === 0) return undefined;
  return isBatch(settled) ? `[${kept.join(',')}]` : kept.join('');
}

/** The texts of the messages that are forwarded, edits included. */
export function keptTexts(settled: readonly Settlement[]): string[] {
  return settled.flatMap(({ text, decision }) => {
    if (decision.action === 'forward') return [text];
    return decision.action === 'edit' ? [decision.text] : [];
  });
}

/** The responses that mcpreel returns to the sender of the messages. */
export function answersIn(settled: readonly Settlement[]): JsonText[] {
  return settled.flatMap(({ decision }) => (decision.action === 'answer' ? [decision.text] : []));
}

/** Why messages were refused, if nothing answers for them. */
export function refusalIn(settled: readonly Settlement[]): string | undefined {
  for (const { decision } of settled) if (decision.action === 'drop' && decision.why !== undefined) return decision.why;
  return undefined;
}

/** The same messages, all dropped because their receiver is gone. */
export function undelivered(settled: readonly Settlement[]): readonly Settlement[] {
  return settled.map((settlement) => ({ ...settlement, decision: { action: 'drop' } }));
}
