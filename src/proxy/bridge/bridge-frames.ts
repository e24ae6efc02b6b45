import type { JudgedFrame } from '../../intercept/held-message.ts';
import { isUnchanged, keptTexts, sentText } from '../../intercept/judged-frame.ts';
import type { JsonText } from '../../model/entry.ts';
import { type RpcBody, textsOf } from '../../protocol/rpc-body.ts';
import type { JudgedBridgeMessage } from './bridge-options.ts';

/** What is sent in place of messages that came as one: a text, or one for each of them where they go apart. */
export function sentFor(frame: JudgedFrame, whole: JsonText, goesApart: boolean): readonly string[] {
  const goesWhole = !(frame.isBatch && goesApart);
  if (isUnchanged(frame) && goesWhole) return [whole];
  if (!goesWhole) return keptTexts(frame);
  const text = sentText(frame);
  return text === undefined ? [] : [text];
}

/** Messages that nobody was asked about. */
export function unjudged(body: RpcBody, atMs: number): JudgedBridgeMessage {
  const messages = textsOf(body).map((text) => ({ text, decision: { action: 'forward' } as const }));
  return { isBatch: body.kind === 'batch', messages, atMs };
}
