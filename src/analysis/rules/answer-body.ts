import { ObjectView } from '../../json/object-view.ts';
import type { JsonText } from '../../model/entry.ts';
import { answerText } from '../../protocol/answer-text.ts';

/** What a response says: a result, or an error object. */
export interface AnswerBody {
  readonly key: 'result' | 'error';
  readonly json: JsonText;
}

/** A response that says something else; its id and all else of it stay as they are. */
export function withBody(response: JsonText, body: AnswerBody): JsonText {
  const view = ObjectView.of(response);
  if (view === undefined) return response;
  const [sent, ...more] = view.members.filter(({ key }) => key === 'result' || key === 'error');
  // Of a response that says two things none can be trusted to be the one that is read.
  if (sent === undefined || more.length > 0) return answerText(view.textOf('id') ?? 'null', body.key, body.json);
  const lead = sent.key === body.key ? response.slice(sent.keyStart, sent.start) : `"${body.key}":`;
  return response.slice(0, sent.keyStart) + lead + body.json + response.slice(sent.end);
}
