import { readTree, type TreeRules } from '../analysis/diff/value-tree.ts';
import { ObjectView } from '../json/object-view.ts';
import type { JsonText } from '../model/entry.ts';
import { answerText } from '../protocol/answer-text.ts';
import type { RecordedDialogue, ServerMessage } from '../recorded/recorded-dialogue.ts';

/**
 * How to answer a server request that has no recorded response.
 *
 * @example
 * ```ts
 * import { replaySession, type ReplyPolicy } from 'mcpreel';
 *
 * const onServerRequest: ReplyPolicy = 'error';
 * const { matches } = await replaySession('session.json', { command: ['node', 'server.js'], onServerRequest });
 * console.log(matches);
 * ```
 */
export type ReplyPolicy = 'decline' | 'error';

/** A request that the recorded server made to its client. */
export interface RecordedQuestion {
  readonly method: string;
  /** The question as a JSON-RPC request, even if it was an input request in a result. */
  readonly text: JsonText;
  /** The client's response to it. */
  readonly reply: JsonText | undefined;
  /** The step that answered it, if the answer was a separate message. */
  readonly answeredBy: number | undefined;
  /** The step index of the client request it was made for. */
  readonly serves: number | undefined;
  /** The server's message; absent if the question was part of an `input_required` result. */
  readonly message: ServerMessage | undefined;
}

/** Finds the recorded counterpart of a live server request. */
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
   * The recorded counterpart of a request. First choice is an unused one with the same method and parameters, then an
   * unused one with the same method, then a used one with the same parameters.
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

  /** The recorded server requests of a step that the live server has not made. */
  unasked(step: number): readonly RecordedQuestion[] {
    const unasked = this.#unasked.get(step);
    return unasked === undefined ? NO_QUESTIONS : [...unasked];
  }
}

const NO_QUESTIONS: readonly RecordedQuestion[] = [];

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

/** The input requests of `input_required` results, with the answers from the retries. */
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

/** An input request as a JSON-RPC request with a dummy id. */
export function requestText(method: string, params: JsonText): JsonText {
  return `{"jsonrpc":"2.0","id":0,"method":${JSON.stringify(method)},"params":${params}}`;
}

const REFUSED = -32603;
const REJECTED_BY_USER = -1;

/** The response to a server request without a recorded response. */
export function policyAnswer(id: JsonText, method: string, policy: ReplyPolicy): JsonText {
  const result = method === 'ping' || policy === 'decline' ? DECLINED[method] : undefined;
  if (result !== undefined) return answerText(id, 'result', result);
  const code = policy === 'decline' ? REJECTED_BY_USER : REFUSED;
  const message = `mcpreel: the recording has no response to ${method}`;
  return answerText(id, 'error', JSON.stringify({ code, message }));
}

/** The results that decline a request. Sampling can only be declined by an error. */
const DECLINED: Readonly<Record<string, JsonText>> = {
  ping: '{}',
  'roots/list': '{"roots":[]}',
  'elicitation/create': '{"action":"decline"}',
};
