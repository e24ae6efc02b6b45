import { readTree, type TreeRules } from '../analysis/diff/value-tree.ts';
import { ObjectView } from '../json/object-view.ts';
import type { JsonText } from '../model/entry.ts';
import { answerText } from '../protocol/answer-text.ts';
import type { RecordedDialogue, ServerMessage } from '../recorded/recorded-dialogue.ts';

/** What a server is told that asks something which the recording has no answer to. */
export type ReplyPolicy = 'decline' | 'error';

/** Something that the server of a recording asked its client. */
export interface RecordedQuestion {
  readonly method: string;
  /** As a request, whichever way it was asked. */
  readonly text: JsonText;
  /** What the client answered, as a response to it. */
  readonly reply: JsonText | undefined;
  /** The step that answered it, where it was a message of its own. */
  readonly answeredBy: number | undefined;
  /** The request for which it was asked, by its step. */
  readonly serves: number | undefined;
  /** The message that asked it, if it was one of its own rather than part of an answer that wanted input. */
  readonly message: ServerMessage | undefined;
}

/** Finds the question of the recording that a server asks again. */
export class RecordedQuestions {
  readonly #waiting = new Map<string, RecordedQuestion[]>();
  readonly #used = new Map<string, RecordedQuestion[]>();
  readonly #requested = new Set<ServerMessage>();
  readonly #unasked = new Map<number, Set<RecordedQuestion>>();
  readonly #rules: TreeRules;

  constructor(dialogue: RecordedDialogue, rules: TreeRules) {
    this.#rules = rules;
    for (const question of [...questionsIn(dialogue), ...roundsIn(dialogue)]) {
      addTo(this.#waiting, question.method, question);
      const { serves, message } = question;
      if (serves === undefined || message === undefined) continue;
      this.#unasked.set(serves, (this.#unasked.get(serves) ?? new Set()).add(question));
    }
  }

  /**
   * The recorded question that this one stands for: the first with the same method and parameters that was not asked
   * again yet, else the first with the same method, else one with the same parameters that was.
   */
  take(text: JsonText, method: string): RecordedQuestion | undefined {
    const identity = readTree(text, this.#rules)?.identity;
    const isSame = (requested: RecordedQuestion): boolean =>
      readTree(requested.text, this.#rules)?.identity === identity;
    const candidates = this.#waiting.get(method) ?? [];
    const found = candidates.find(isSame) ?? candidates[0];
    if (found === undefined) return this.#used.get(method)?.findLast(isSame);
    candidates.splice(candidates.indexOf(found), 1);
    addTo(this.#used, method, found);
    const { message, serves } = found;
    if (message !== undefined) this.#requested.add(message);
    if (serves !== undefined) this.#unasked.get(serves)?.delete(found);
    return found;
  }

  wasRequested(message: ServerMessage): boolean {
    return this.#requested.has(message);
  }

  hasUnasked(step: number): boolean {
    return this.#unasked.has(step);
  }

  /** Those of a request that were not asked again. */
  unasked(step: number): readonly RecordedQuestion[] {
    return [...(this.#unasked.get(step) ?? [])];
  }
}

function addTo(lists: Map<string, RecordedQuestion[]>, method: string, question: RecordedQuestion): void {
  const list = lists.get(method);
  if (list === undefined) lists.set(method, [question]);
  else list.push(question);
}

function questionsIn({ unprompted, steps }: RecordedDialogue): RecordedQuestion[] {
  return unprompted.flatMap((message) => {
    if (message.kind !== 'request') return [];
    const { text, method = '', answeredBy, serves } = message;
    const reply = answeredBy === undefined ? undefined : steps[answeredBy]?.text;
    return [{ method, text, reply, answeredBy, serves, message }];
  });
}

/** What answers asked that wanted input, and what the retries gave. */
function roundsIn({ steps }: RecordedDialogue): RecordedQuestion[] {
  const retried = steps.filter(({ retriedBy }) => retriedBy !== undefined);
  return retried.flatMap((step) => {
    const retry = steps[step.retriedBy ?? -1];
    if (retry === undefined || step.answer === undefined) return [];
    const requested = ObjectView.of(step.answer.text)?.object('result')?.object('inputRequests');
    const given = ObjectView.of(retry.text)?.object('params')?.object('inputResponses');
    return (requested?.members ?? []).flatMap(({ key }): RecordedQuestion[] => {
      const request = requested?.object(key);
      const method = request?.string('method');
      if (method === undefined) return [];
      const params = request?.textOf('params') ?? '{}';
      const text = requestText(method, params);
      const result = given?.textOf(key);
      const reply = result === undefined ? undefined : answerText('0', 'result', result);
      return [{ method, text, reply, answeredBy: undefined, serves: step.index, message: undefined }];
    });
  });
}

/** A question as a request, with an id that stands for any. */
export function requestText(method: string, params: JsonText): JsonText {
  return `{"jsonrpc":"2.0","id":0,"method":${JSON.stringify(method)},"params":${params}}`;
}

const REFUSED = -32603;
const REJECTED_BY_USER = -1;

/** What a server is told in place of an answer of the client's. */
export function policyAnswer(id: JsonText, method: string, policy: ReplyPolicy): JsonText {
  const result = method === 'ping' || policy === 'decline' ? DECLINED[method] : undefined;
  if (result !== undefined) return answerText(id, 'result', result);
  const code = policy === 'decline' ? REJECTED_BY_USER : REFUSED;
  const message = `mcpreel: the recording has no answer to ${method}`;
  return answerText(id, 'error', JSON.stringify({ code, message }));
}

/** How a client says no. To a request for a sample only an error does. */
const DECLINED: Readonly<Record<string, JsonText>> = {
  ping: '{}',
  'roots/list': '{"roots":[]}',
  'elicitation/create': '{"action":"decline"}',
};
