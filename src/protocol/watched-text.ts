import { decodeUtf8 } from '../json/lines.ts';
import { ObjectView } from '../json/object-view.ts';
import { documentSpan } from '../json/scan.ts';
import type { JsonText } from '../model/entry.ts';
import { objectsOf, type RpcBody } from './rpc-body.ts';

/** Reads traffic that rules or holds apply to, and shows what the receiver could act on although mcpreel cannot. */

/** What a text that was to be judged holds. */
export type WatchedText =
  /** Messages. `doubt` shows why the receiver may read them differently. */
  | { readonly kind: 'messages'; readonly body: RpcBody; readonly doubt: string | undefined }
  /** Possibly messages for a receiver with another parser. */
  | { readonly kind: 'unread'; readonly why: string }
  /** Nothing that could be a message. */
  | { readonly kind: 'other' };

export const NOT_UTF8 = 'it is not valid UTF-8';
const NOT_JSON = 'it is not JSON';
const OTHER: WatchedText = { kind: 'other' };

/** Reads a line of a stream that can only hold messages. */
export function watchedLine(bytes: Uint8Array): WatchedText {
  return watched(bytes, (text) => {
    const body = objectsOf(text);
    if (body !== undefined) {
      // Some servers end a line at a lone carriage return, and would read the parts as messages.
      const isSplit = /\r./s.test(text);
      return { kind: 'messages', body, doubt: isSplit ? 'it has a carriage return inside' : undefined };
    }
    return text.includes('{') ? { kind: 'unread', why: NOT_JSON } : OTHER;
  });
}

/** Reads an HTTP body or the data of an event, which may be something other than messages. */
export function watchedBody(bytes: Uint8Array, charset: string | undefined): WatchedText {
  const read = watched(bytes, watchedData);
  if (charset === undefined || ASCII_BASED.test(charset)) return read;
  // The receiver may decode other characters than these bytes seem to be.
  const why = `its charset ${charset} is not UTF-8`;
  return read.kind === 'messages' ? { ...read, doubt: why } : { kind: 'unread', why };
}

/** Charsets in which the characters of JSON have the same bytes as in UTF-8. */
const ASCII_BASED = /^(?:utf-?8|us-ascii|ascii|iso-8859-\d+|latin\d+|windows-125\d)$/i;

export function watchedData(text: string): WatchedText {
  const body = objectsOf(text);
  if (body !== undefined && hasMessage(body)) return { kind: 'messages', body, doubt: undefined };
  const isJson = body !== undefined || documentSpan(text) !== undefined;
  // JSON of another kind, such as a token, may contain braces.
  const mayBeMessage = isJson ? /JSONRPC|"METHOD"/.test(unescaped(text).toUpperCase()) : text.includes('{');
  return mayBeMessage ? { kind: 'unread', why: isJson ? 'it is not a JSON-RPC message' : NOT_JSON } : OTHER;
}

/** The text with the characters that are written as their codes. */
function unescaped(text: string): string {
  return text.replaceAll(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** @param read Reads the text. Of invalid UTF-8 it gets what a tolerant decoder makes of it. */
function watched(bytes: Uint8Array, read: (text: string) => WatchedText): WatchedText {
  const text = decodeUtf8(bytes);
  if (text !== undefined) return read(text);
  const tolerant = read(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
  return tolerant.kind === 'messages' ? { ...tolerant, doubt: NOT_UTF8 } : { kind: 'unread', why: NOT_UTF8 };
}

function hasMessage(body: RpcBody): boolean {
  return body.kind === 'message' ? isActionable(body.text) : body.texts.some(isActionable);
}

/** Whether a receiver could act on a text, also without a `jsonrpc` member. */
function isActionable(text: JsonText): boolean {
  const view = text.startsWith('{') ? ObjectView.of(text) : undefined;
  if (view === undefined) return false;
  const isAnswer = view.has('id') && (view.has('result') || view.has('error'));
  return view.has('jsonrpc') || view.string('method') !== undefined || isAnswer;
}
