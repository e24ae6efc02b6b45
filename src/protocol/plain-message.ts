import { inOwnMemory } from '../json/own-memory.ts';
import { PLAIN, SMALL_CONTAINER } from '../json/small-values.ts';
import type { Envelope, MessageBody, MessageKind } from '../model/entry.ts';

const VERSION = String.raw`"jsonrpc":"2\.0"`;
const ID = String.raw`"id":("${PLAIN}"|0|[1-9]\d*)`;
const METHOD = `"method":"(${PLAIN})"(?:,(?="params":)|(?=[,}]))`;
const BODY = `"(params|result|error)":(${SMALL_CONTAINER})`;

const LETTER_J = 0x6a;

/** `jsonrpc` and `id` come before the method and body, or after them. */
const MESSAGE = new RegExp(
  String.raw`\{(?:${VERSION},)?(?:${ID},)?(?:${METHOD})?(?:${BODY})?((?:,${VERSION})?(?:,${ID})?)\}`,
  'y',
);

/** The fields of a message in the usual spelling. */
export interface PlainMessage {
  readonly envelope: Envelope;
  /** The span of its params, result or error, counted from the message's first character. */
  readonly body: MessageBody | undefined;
  readonly length: number;
}

/**
 * Reads the message at `at` with one regular expression if it has the usual spelling, and returns `undefined`
 * otherwise. The usual spelling has only JSON-RPC members, each once, in the order in which clients and servers write
 * them. It has no white space between them. Any other message needs a full scan.
 */
export function readPlainMessage(text: string, at: number): PlainMessage | undefined {
  MESSAGE.lastIndex = at;
  const found = MESSAGE.exec(text);
  if (found === null) return undefined;
  const [whole, idBefore, method, key, value, after = '', idAfter] = found;
  const saysRpc = whole.charCodeAt(2) === LETTER_J || after.charCodeAt(2) === LETTER_J;
  // The pattern accepts misplaced commas if both method and body are missing.
  const saysSomething = method !== undefined || value !== undefined;
  if (!saysRpc || !saysSomething || (idBefore !== undefined && idAfter !== undefined)) return undefined;
  const id = idBefore ?? idAfter;
  const end = whole.length - 1 - after.length;
  const body = value === undefined ? undefined : { key: key as MessageBody['key'], start: end - value.length, end };
  const envelope = { kind: kindOf(id, method, key), id, method: method === undefined ? undefined : shared(method) };
  return { envelope, body, length: whole.length };
}

/** The method of the last message. Most messages repeat it and then share one copy. */
let lastMethod = '';

function shared(method: string): string {
  if (method !== lastMethod) lastMethod = inOwnMemory(method);
  return lastMethod;
}

function kindOf(id: string | undefined, method: string | undefined, key: string | undefined): MessageKind {
  if (method !== undefined) return id === undefined ? 'notification' : 'request';
  return key === 'params' ? 'invalid' : 'response';
}
