import type { Difference } from '../analysis/diff/compare-answers.ts';
import { encodeString } from '../json/scan.ts';
import { sliceAt } from '../json/splice.ts';
import type { JsonText } from '../model/entry.ts';
import type { BoundValues } from '../recorded/bound-values.ts';
import { withId } from '../recorded/message-id.ts';
import type { RecordedDialogue, ServerMessage } from '../recorded/recorded-dialogue.ts';
import type { ReplayJudge } from './judge/judge.ts';
import { redactedIn } from './replay-plan.ts';
import { policyAnswer, type RecordedQuestion, RecordedQuestions, type ReplyPolicy } from './reply-policy.ts';

export interface ServerRequestsOptions {
  readonly dialogue: RecordedDialogue;
  readonly bound: BoundValues;
  readonly judge: Pick<ReplayJudge, 'rulesFor' | 'questionDifferences'>;
  readonly policy: ReplyPolicy;
  readonly allowRedacted: boolean;
  readonly say: (text: JsonText) => void;
  readonly note: (line: string) => void;
  /** The step index of the running request, if there is exactly one. */
  readonly runningStep: () => number | undefined;
}

const NONE: readonly Difference[] = [];

/** How long a response is held for its turn. A server that asks earlier than it did may need it to continue. */
const TURN_MS = 1000;

/** Answers the live server's requests with the recorded client's responses. */
export class ServerRequests {
  readonly #options: ServerRequestsOptions;
  readonly #questions: RecordedQuestions;
  readonly #differences = new Map<number, Difference[]>();
  /** Responses whose turn has not come yet. */
  readonly #held = new Set<HeldAnswer>();
  #turn = -1;

  constructor(options: ServerRequestsOptions) {
    this.#options = options;
    this.#questions = new RecordedQuestions(options.dialogue, options.judge.rulesFor(undefined));
  }

  /** Handles a request of the server. */
  take(text: JsonText, id: JsonText, method: string): void {
    const { say } = this.#options;
    const question = this.#recognise(text, method);
    if (question === undefined) say(policyAnswer(id, method, this.#options.policy));
    else if (question.reply !== undefined) {
      const { reply } = question;
      this.#inTurn(question.answeredBy ?? -1, () => say(withId(this.#answer(reply, id, method), id)));
    } else if (method === 'ping') {
      // In the other cases the recorded client did not respond either.
      say(policyAnswer(id, method, 'decline'));
    }
  }

  /** The result for an input request inside a response, if there is one. */
  resultFor(text: JsonText, method: string): JsonText | undefined {
    const question = this.#recognise(text, method);
    const reply = question?.reply === undefined ? undefined : this.#answer(question.reply, '0', method);
    return sliceAt(reply ?? policyAnswer('0', method, this.#options.policy), ['result']);
  }

  /** Notes that all client messages before this step have been sent. */
  reach(step: number): void {
    this.#turn = Math.max(this.#turn, step);
    if (this.#held.size === 0) return;
    for (const held of [...this.#held]) if (held.step <= this.#turn) this.#release(held);
  }

  wasRequested(message: ServerMessage): boolean {
    return this.#questions.wasRequested(message);
  }

  /** The recorded server requests of this step that the live server has not made. */
  missing(step: number): readonly RecordedQuestion[] {
    return this.#questions.unasked(step).filter(({ method }) => method !== 'ping');
  }

  /** Server requests for this step that changed or are missing. Call it once the step is answered. */
  differencesOf(step: number): readonly Difference[] {
    if (!this.#differences.has(step) && !this.#questions.hasUnasked(step)) return NONE;
    const missing = this.missing(step).map(({ method }) => ({
      path: '$.method',
      recorded: encodeString(method),
      replayed: undefined,
    }));
    return [...(this.#differences.get(step) ?? []), ...missing];
  }

  /** Finds the recorded counterpart of a server request and notes how they differ. */
  #recognise(text: JsonText, method: string): RecordedQuestion | undefined {
    const { bound, judge, policy, note, runningStep } = this.#options;
    const question = this.#questions.take(bound.toRecorded(text, method), method);
    if (method === 'ping') return question;
    if (question === undefined) {
      note(`The server sent ${method}, which is not in the recording: ${inWords(policy)}`);
      this.#differ(runningStep(), [{ path: '$.method', recorded: undefined, replayed: encodeString(method) }]);
      return undefined;
    }
    bound.learn(question.text, text, method);
    this.#differ(question.serves, judge.questionDifferences(question.text, bound.toRecorded(text, method)));
    return question;
  }

  #inTurn(step: number, send: () => void): void {
    if (step <= this.#turn) {
      send();
      return;
    }
    const held: HeldAnswer = { step, send, timer: setTimeout(() => this.#release(held), TURN_MS) };
    this.#held.add(held);
  }

  #release(held: HeldAnswer): void {
    clearTimeout(held.timer);
    if (this.#held.delete(held)) held.send();
  }

  #answer(recorded: JsonText, id: JsonText, method: string): JsonText {
    const { bound, allowRedacted, note, policy } = this.#options;
    const hidden = allowRedacted ? undefined : redactedIn(recorded);
    const { text, unclear } = bound.toLive(recorded, method);
    if (hidden === undefined && unclear === undefined) return text;
    const reason = hidden === undefined ? 'a value whose live counterpart is uncertain' : hidden;
    note(`The recorded response to ${method} contains ${reason}: ${inWords(policy)} instead`);
    return policyAnswer(id, method, policy);
  }

  #differ(step: number | undefined, found: readonly Difference[]): void {
    if (step === undefined || found.length === 0) return;
    this.#differences.set(step, [...(this.#differences.get(step) ?? []), ...found]);
  }
}

interface HeldAnswer {
  /** The step index of the recorded response. */
  readonly step: number;
  readonly send: () => void;
  readonly timer: NodeJS.Timeout;
}

function inWords(policy: ReplyPolicy): string {
  return policy === 'decline' ? 'declined' : 'answered with an error';
}
