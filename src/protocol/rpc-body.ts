import { elementTexts } from '../json/object-view.ts';
import { skipSpace } from '../json/scan.ts';
import type { JsonText } from '../model/entry.ts';
import { type EnvelopePeek, glanceAt, glanceAtRpc } from './envelope.ts';

/** The message or the messages that a text consists of. */
export type RpcBody =
  | { readonly kind: 'message'; readonly text: JsonText; readonly glance: EnvelopePeek }
  | { readonly kind: 'batch'; readonly texts: readonly JsonText[] };

/**
 * What a body that may be anything has of JSON-RPC: every object in it must say `jsonrpc`, because what comes the same
 * way and does not (a token, a client registration) must never be recorded.
 */
export function rpcFramesOf(text: string): RpcBody | undefined {
  return messageIn(text, glanceAtRpc) ?? batchIn(text, (element) => glanceAtRpc(element) !== undefined);
}

/** What a text has of JSON-RPC where nothing else is ever said: any object is a message, however wrong it is. */
export function objectsOf(text: string): RpcBody | undefined {
  return messageIn(text, glanceAt) ?? batchIn(text, (element) => element.startsWith('{'));
}

/** The messages that came as one. */
export function textsOf(body: RpcBody): readonly JsonText[] {
  return body.kind === 'batch' ? body.texts : [body.text];
}

function messageIn(text: string, look: (text: string) => EnvelopePeek | undefined): RpcBody | undefined {
  const glance = look(text);
  return glance === undefined ? undefined : { kind: 'message', text: withoutSpaceAround(text), glance };
}

/** A carriage return at the end, most likely. */
function withoutSpaceAround(text: string): JsonText {
  return text.startsWith('{') && text.endsWith('}') ? text : text.trim();
}

function batchIn(text: string, isMessage: (element: JsonText) => boolean): RpcBody | undefined {
  const texts = text.charAt(skipSpace(text, 0)) === '[' ? (elementTexts(text) ?? []) : [];
  return texts.length > 0 && texts.every(isMessage) ? { kind: 'batch', texts } : undefined;
}
