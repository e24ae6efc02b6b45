import { elementTexts } from '../json/object-view.ts';
import { skipSpace } from '../json/scan.ts';
import type { JsonText } from '../model/entry.ts';
import { type EnvelopePeek, peekAt, peekAtRpc } from './envelope.ts';

/** The message or the messages that a text consists of. */
export type RpcBody =
  | { readonly kind: 'message'; readonly text: JsonText; readonly peek: EnvelopePeek }
  | { readonly kind: 'batch'; readonly texts: readonly JsonText[] };

/**
 * What a body that may be anything has of JSON-RPC: every object in it must say `jsonrpc`, because what comes the same
 * way and does not (a token, a client registration) must never be recorded.
 */
export function rpcFramesOf(text: string): RpcBody | undefined {
  return messageIn(text, peekAtRpc) ?? batchIn(text, (element) => peekAtRpc(element) !== undefined);
}

/** What a text has of JSON-RPC where nothing else is ever said: any object is a message, however wrong it is. */
export function objectsOf(text: string): RpcBody | undefined {
  return messageIn(text, peekAt) ?? batchIn(text, (element) => element.startsWith('{'));
}

/** The messages that came as one. */
export function textsOf(body: RpcBody): readonly JsonText[] {
  return body.kind === 'batch' ? body.texts : [body.text];
}

function messageIn(text: string, look: (text: string) => EnvelopePeek | undefined): RpcBody | undefined {
  const peek = look(text);
  return peek === undefined ? undefined : { kind: 'message', text: withoutSpaceDeps(text), peek };
}

/** A carriage return at the end, most likely. */
function withoutSpaceDeps(text: string): JsonText {
  return text.startsWith('{') && text.endsWith('}') ? text : text.trim();
}

function batchIn(text: string, isMessage: (element: JsonText) => boolean): RpcBody | undefined {
  const texts = text.charAt(skipSpace(text, 0)) === '[' ? (elementTexts(text) ?? []) : [];
  return texts.length > 0 && texts.every(isMessage) ? { kind: 'batch', texts } : undefined;
}
