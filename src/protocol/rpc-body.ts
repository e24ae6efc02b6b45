import { elementTexts } from '../json/object-view.ts';
import { skipSpace } from '../json/scan.ts';
import type { JsonText } from '../model/entry.ts';
import { type EnvelopePeek, peekAt, peekAtRpc } from './envelope.ts';

/** Finds the JSON-RPC messages in a line or an HTTP body. */

/** The message or batch that a text consists of. A batch may have elements that are no objects beside its messages. */
export type RpcBody =
  | { readonly kind: 'message'; readonly text: JsonText; readonly peek: EnvelopePeek }
  | { readonly kind: 'batch'; readonly texts: readonly JsonText[] };

/**
 * The JSON-RPC messages of an arbitrary HTTP body. Every object in it must have `jsonrpc`, because other bodies on the
 * same path (a token, a client registration) must never be recorded.
 */
export function rpcFramesOf(text: string): RpcBody | undefined {
  return (
    messageIn(text, peekAtRpc) ??
    batchIn(text, (element) => peekAtRpc(element) !== undefined, 'all objects') ??
    behindMark(text, rpcFramesOf)
  );
}

/** The messages of a text that can only be JSON-RPC: any object counts as a message, even an invalid one. */
export function objectsOf(text: string): RpcBody | undefined {
  return messageIn(text, peekAt) ?? batchIn(text, (element) => element.startsWith('{')) ?? behindMark(text, objectsOf);
}

export function textsOf(body: RpcBody): readonly JsonText[] {
  return body.kind === 'batch' ? body.texts : [body.text];
}

/** Many parsers skip a byte order mark. */
function behindMark(text: string, read: (text: string) => RpcBody | undefined): RpcBody | undefined {
  return text.charCodeAt(0) === 0xfeff ? read(text.slice(1)) : undefined;
}

function messageIn(text: string, look: (text: string) => EnvelopePeek | undefined): RpcBody | undefined {
  const peek = look(text);
  return peek === undefined ? undefined : { kind: 'message', text: trimmedJson(text), peek };
}

/** Usually this removes a trailing carriage return. */
function trimmedJson(text: string): JsonText {
  return text.startsWith('{') && text.endsWith('}') ? text : text.trim();
}

/** A server answers each message of a batch by itself, also beside invalid ones (JSON-RPC 2.0, section 6). */
function batchIn(
  text: string,
  isMessage: (element: JsonText) => boolean,
  which: 'any' | 'all objects' = 'any',
): RpcBody | undefined {
  const texts = text.charAt(skipSpace(text, 0)) === '[' ? (elementTexts(text) ?? []) : [];
  if (!texts.some(isMessage)) return undefined;
  const isBatch = which === 'any' || texts.every((element) => !element.startsWith('{') || isMessage(element));
  return isBatch ? { kind: 'batch', texts } : undefined;
}
