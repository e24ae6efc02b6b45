import type { Difference } from '../analysis/compare-answers.ts';
import type { JsonText } from '../model/entry.ts';
import { idAt } from '../protocol/id-splice.ts';
import type { BoundValues } from './bound-values.ts';
import type { ClientStep } from './recorded-dialogue.ts';
import type { AskedQuestions } from './replay-asked.ts';
import { type Reply, withId } from './replay-connection.ts';
import { type Agreement, isUnreached } from './replay-handshake.ts';
import type { ReplayJudge } from './replay-judge.ts';
import type { ReplayPlan } from './replay-plan.ts';
import type { ReplayResult, Verdict } from './replay-result.ts';
import type { ReusedValues } from './reused-values.ts';

export interface VerdictsOptions {
  readonly judge: ReplayJudge;
  readonly plan: ReplayPlan;
  readonly bound: BoundValues;
  readonly reused: ReusedValues;
  readonly asked: AskedQuestions;
  readonly timeoutMs: number;
  readonly onResult: (result: ReplayResult) => void;
  /** The target has said nothing and will not. */
  readonly onUnreachable: (reason: string) => void;
}

/** A request, what came of it, and what is expected of it. */
export interface Exchange {
  readonly sent: JsonText | undefined;
  readonly reply: Reply;
  readonly durationMs: number | undefined;
  readonly expected: JsonText | undefined;
}

/** Says of each message of one dialogue what came of it. */
export class Verdicts {
  readonly #options: VerdictsOptions;

  constructor(options: VerdictsOptions) {
    this.#options = options;
  }

  /** In what an answer differs from a recorded one. */
  differences(step: ClientStep, recorded: JsonText, live: JsonText): readonly Difference[] {
    const { judge, bound, reused } = this.#options;
    const recordedId = idAt(recorded, 'id') ?? '0';
    const tool = step.method === 'tools/call' ? step.name : undefined;
    return judge.differences({ recorded, recordedId, live, tool }, bound, reused);
  }

  /** Tells what came of a request, having learned from it. */
  conclude(step: ClientStep, exchange: Exchange, { connection, dialect }: Agreement): void {
    const { timeoutMs, onUnreachable } = this.#options;
    const { sent, reply, durationMs, expected } = exchange;
    const facts = { sent, durationMs, recorded: expected };
    if (isUnreached(reply, connection)) {
      onUnreachable('reason' in reply ? reply.reason : '');
      return;
    }
    switch (reply.kind) {
      case 'timeout':
        this.tell(step, 'timeout', { ...facts, error: `Timeout after ${timeoutMs / 1000}s` });
        break;
      case 'closed':
        this.tell(step, 'missing', { ...facts, error: `No answer: ${reply.reason}` });
        break;
      case 'refused':
        this.tell(step, 'error', { ...facts, error: reply.reason });
        break;
      case 'answer':
        this.#compare(step, { ...facts, response: reply.text }, dialect.strange);
    }
  }

  tell(step: ClientStep, verdict: Verdict, more: Partial<ReplayResult>): void {
    const { judge, onResult } = this.#options;
    const { sent, response, recorded, durationMs, error, differences = [], accepted } = more;
    const clean = (text: JsonText | undefined): JsonText | undefined => (text === undefined ? text : judge.clean(text));
    onResult({
      step,
      verdict,
      sent: clean(sent),
      response: clean(response),
      error,
      durationMs,
      recorded: clean(recorded ?? step.answer?.text),
      differences,
      accepted: clean(accepted),
    });
  }

  #compare(step: ClientStep, facts: Answered, strange: ReadonlySet<string>): void {
    const { plan, bound, asked } = this.#options;
    const { recorded, response } = facts;
    const { method = '', id = '0', index } = step;
    if (method === 'tools/list') plan.learnTools(response);
    if (recorded === undefined) {
      this.tell(step, 'sent', facts);
      return;
    }
    // Most answers are what they were, character by character, and teach nothing.
    const isSame = withId(response, idAt(recorded, 'id') ?? id) === recorded;
    if (!isSame) bound.learn(recorded, response, method);
    const found = isSame ? [] : this.differences(step, recorded, response);
    const differences = [...found, ...asked.differencesOf(index)].filter(({ path }) => !strange.has(path));
    if (differences.length === 0) this.tell(step, 'match', facts);
    else {
      // An answer in the words of another era has no place in the recording.
      const accepted = strange.size > 0 ? undefined : withId(bound.toRecorded(response, method), id);
      this.tell(step, 'changed', { ...facts, differences, accepted });
    }
  }
}

interface Answered {
  readonly sent: JsonText | undefined;
  readonly response: JsonText;
  readonly recorded: JsonText | undefined;
  readonly durationMs: number | undefined;
}
