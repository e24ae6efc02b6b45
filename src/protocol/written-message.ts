import { compact, pretty } from '../json/layout.ts';
import { ObjectView } from '../json/object-view.ts';
import { documentSpan } from '../json/scan.ts';
import type { JsonText } from '../model/entry.ts';
import { readEnvelope } from './envelope.ts';
import { isModern } from './era.ts';

/** Drafts and parses the text that a user writes in place of a held message. */

/** A JSON-RPC result or error, as the text of its value. */
export type WrittenAnswer = { readonly result: JsonText } | { readonly error: JsonText };

const EMPTY_ANSWER = '{"result":{}}';

/**
 * The initial text of an answer to a request, or of a replacement for a response; `undefined` if the message has no id.
 */
export function draftAnswer(text: string): string | undefined {
  const { kind, id, method } = readEnvelope(text);
  if (id === undefined) return undefined;
  if (kind === 'request') return answerTo(text, method);
  return kind === 'response' ? answerIn(text) : undefined;
}

/**
 * The text to send, on one line, because many peers treat every line as a message. Text that is not JSON is sent
 * unchanged.
 */
export function sentText(written: string): string {
  return documentSpan(written) === undefined ? written : compact(written);
}

/** Parses an answer that a user wrote: `{"result":…}` or `{"error":…}`, but not both. */
export function readAnswer(written: string): WrittenAnswer | undefined {
  const view = ObjectView.of(written);
  const result = view?.textOf('result');
  const error = view?.textOf('error');
  if (result !== undefined && error === undefined) return { result: compact(result) };
  return error !== undefined && result === undefined ? { error: compact(error) } : undefined;
}

/** A result with the members that the revision and the method require. */
function answerTo(text: string, method: string | undefined): string {
  const members = [
    ...(isModern(text) ? ['"resultType":"complete"'] : []),
    ...(method === 'tools/call' ? ['"content":[{"type":"text","text":""}]'] : []),
  ];
  return pretty(`{"result":{${members.join(',')}}}`);
}

/** The draft that replaces a held response starts with the response's own result or error. */
function answerIn(text: string): string {
  const own = ObjectView.of(text)?.only((key) => key === 'result' || key === 'error');
  return pretty(own ?? EMPTY_ANSWER);
}
