import { compact, pretty } from '../json/layout.ts';
import { ObjectView } from '../json/object-view.ts';
import { documentSpan } from '../json/scan.ts';
import type { JsonText } from '../model/entry.ts';
import { readEnvelope } from './envelope.ts';
import { isModern } from './era.ts';

/** What a person writes in place of a message that is held: where to begin, and what is sent of it. */

/** An answer in the words of JSON-RPC, each the text of a value. */
export type WrittenAnswer = { readonly result: JsonText } | { readonly error: JsonText };

const EMPTY_ANSWER = '{"result":{}}';

/** Where to begin with an answer to a message, or in place of one; `undefined` where it has no id to answer to. */
export function draftAnswer(text: string): string | undefined {
  const { kind, id, method } = readEnvelope(text);
  if (id === undefined) return undefined;
  if (kind === 'request') return answerTo(text, method);
  return kind === 'response' ? answerIn(text) : undefined;
}

/** On one line: many a peer takes every line for a message. What is no JSON goes as it is. */
export function sentText(written: string): string {
  return documentSpan(written) === undefined ? written : compact(written);
}

/** The answer that somebody wrote: `{"result":…}` or `{"error":…}`, and never both. */
export function readAnswer(written: string): WrittenAnswer | undefined {
  const view = ObjectView.of(written);
  const result = view?.textOf('result');
  const error = view?.textOf('error');
  if (result !== undefined && error === undefined) return { result: compact(result) };
  return error !== undefined && result === undefined ? { error: compact(error) } : undefined;
}

/** What a result must have, in its revision and for its method. */
function answerTo(text: string, method: string | undefined): string {
  const members = [
    ...(isModern(text) ? ['"resultType":"complete"'] : []),
    ...(method === 'tools/call' ? ['"content":[{"type":"text","text":""}]'] : []),
  ];
  return pretty(`{"result":{${members.join(',')}}}`);
}

/** A held response is answered by another one: what it says is where to begin. */
function answerIn(text: string): string {
  const own = ObjectView.of(text)?.only((key) => key === 'result' || key === 'error');
  return pretty(own ?? EMPTY_ANSWER);
}
