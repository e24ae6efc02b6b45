import { toolOf } from '../../analysis/calls/call-reply.ts';
import type { Difference } from '../../analysis/diff/compare-answers.ts';
import type { JsonText } from '../../model/entry.ts';
import type { BoundValues } from '../../recorded/bound-values.ts';
import { idOf, isSameButForId, withId } from '../../recorded/message-id.ts';
import type { ClientStep } from '../../recorded/recorded-dialogue.ts';
import type { ReusedValues } from '../../recorded/reused-values.ts';
import { type EraAgreement, isUnreached } from '../era/handshake.ts';
import type { ConnectionReply } from '../replay-connection.ts';
import type { ReplayPlan } from '../replay-plan.ts';
import type { ServerRequests } from '../server-requests.ts';
import type { ReplayJudge } from './judge.ts';
import type { ReplayNotifications } from './notifications.ts';
import type { ReplayResult, ReplayVerdict } from './replay-result.ts';

export interface ResultReporterOptions {
  readonly judge: ReplayJudge;
  readonly plan: ReplayPlan;
  readonly bound: BoundValues;
  readonly reused: ReusedValues;
  readonly serverRequests: ServerRequests;
  readonly notices: ReplayNotifications;
  /** Waits for what the recorded server sent along with its response; `undefined` if all of it has arrived. */
  readonly settling: (step: ClientStep) => Promise<void> | undefined;
  readonly timeoutMs: number;
  readonly onResult: (result: ReplayResult) => void;
  /** Called if the target has sent nothing and never will. */
  readonly onUnreachable: (reason: string) => void;
}

/** A replayed request, its outcome and the expected response. */
export interface ReplayedExchange {
  readonly sent: JsonText | undefined;
  readonly reply: ConnectionReply;
  readonly durationMs: number | undefined;
  readonly expected: JsonText | undefined;
}

/** Compares each replayed exchange of one dialogue and reports the result. */
export class ResultReporter {
  readonly #options: ResultReporterOptions;
  /** Matches that have not been reported yet. */
  #matches: [ClientStep, ComparedAnswer][] = [];
  /** Results that wait for requests and notifications that the recorded server sent along with its response. */
  readonly #late = new Set<Promise<void>>();

  constructor(options: ResultReporterOptions) {
    this.#options = options;
  }

  /** How a response differs from a recorded one. */
  differences(step: ClientStep, recorded: JsonText, live: JsonText): readonly Difference[] {
    const { judge, bound, reused } = this.#options;
    const recordedId = idOf(recorded) ?? '0';
    return judge.differences({ recorded, recordedId, live, tool: toolOf(step) }, bound, reused);
  }

  /** Reports the outcome of a request and learns its live values. */
  conclude(step: ClientStep, exchange: ReplayedExchange, { connection, dialect }: EraAgreement): void {
    const { timeoutMs, onUnreachable, bound } = this.#options;
    const { sent, reply, durationMs, expected: recorded } = exchange;
    if (reply.kind === 'answer') {
      this.#compare(step, { sent, response: reply.text, recorded, durationMs }, dialect.strange);
      return;
    }
    const facts = { sent, durationMs, recorded };
    bound.learnMissing(recorded ?? '', step.method);
    if (isUnreached(reply, connection)) {
      onUnreachable('reason' in reply ? reply.reason : '');
      return;
    }
    switch (reply.kind) {
      case 'timeout':
        this.report(step, 'timeout', { ...facts, error: `no response after ${timeoutMs / 1000} s` });
        break;
      case 'closed':
        this.report(step, 'missing', { ...facts, error: `No response: ${reply.reason}` });
        break;
      case 'refused':
        this.report(step, 'error', { ...facts, error: reply.reason });
    }
  }

  /** Reports a message that was not sent. The values of its recorded response have no live counterparts. */
  reportUnsent(step: ClientStep, error: string): void {
    this.#options.bound.learnMissing(step.answer?.text ?? '', step.method);
    this.report(step, 'error', { error });
  }

  /** Resolves when all results have been reported. */
  async finish(): Promise<void> {
    await Promise.all(this.#late);
    this.flush();
  }

  /** Reports the pending matches. */
  flush(): void {
    const matches = this.#matches;
    this.#matches = [];
    for (const [step, facts] of matches) this.#reportNow(step, 'match', facts);
  }

  report(step: ClientStep, verdict: ReplayVerdict, more: Partial<ReplayResult>): void {
    this.flush();
    this.#reportNow(step, verdict, more);
  }

  /** Defers the report, so that the next message is sent first. */
  #reportSoon(step: ClientStep, facts: ComparedAnswer): void {
    if (this.#matches.push([step, facts]) === 1) setImmediate(() => this.flush());
  }

  #reportNow(step: ClientStep, verdict: ReplayVerdict, more: Partial<ReplayResult>): void {
    const { judge, onResult } = this.#options;
    onResult(new CleanResult(step, verdict, more, judge));
  }

  #compare(step: ClientStep, facts: AnsweredStep, strange: ReadonlySet<string>): void {
    const { plan, bound, serverRequests: requested } = this.#options;
    const { sent, response, recorded, durationMs } = facts;
    const { method = '', id = '0', index } = step;
    if (method === 'tools/list') plan.learnTools(response);
    if (recorded === undefined) {
      this.report(step, 'sent', facts);
      return;
    }
    // Most responses are identical character by character, so there is nothing to learn from them.
    const isSame = isSameButForId(recorded, response);
    if (isSame) bound.learnEqual(recorded, method);
    else bound.learn(recorded, response, method);
    const found = isSame ? NO_DIFFERENCES : this.differences(step, recorded, response);
    if (strange.size > 0) {
      const all = [...found, ...requested.differencesOf(index)];
      // A translated response cannot be accepted into the recording, and notifications differ between the eras.
      this.#reportCompared(step, { ...facts, differences: all.filter(({ path }) => !strange.has(path)) });
      return;
    }
    const accepted = found.length === 0 ? undefined : withId(bound.toRecorded(response, method), id);
    // Listing the members is several times as fast as spreading the object.
    const compared: ComparedAnswer = { sent, response, recorded, durationMs, differences: found, accepted };
    const settling = this.#options.settling(step);
    if (settling === undefined) this.#decide(step, compared);
    else {
      const late = settling.then(() => this.#decide(step, compared)).finally(() => this.#late.delete(late));
      this.#late.add(late);
    }
  }

  /** Judges the server's requests and notifications once they had time to arrive. */
  #decide(step: ClientStep, facts: ComparedAnswer): void {
    const { notices, serverRequests } = this.#options;
    const [requests, sent] = [serverRequests.differencesOf(step.index), notices.differences(step)];
    const beside = requests.length === 0 ? sent : [...requests, ...sent];
    this.#reportCompared(
      step,
      beside.length === 0 ? facts : { ...facts, differences: [...facts.differences, ...beside] },
    );
  }

  #reportCompared(step: ClientStep, facts: ComparedAnswer): void {
    if (facts.differences.length === 0) this.#reportSoon(step, facts);
    else this.report(step, 'changed', facts);
  }
}

const NO_DIFFERENCES: readonly Difference[] = [];

/** A result whose texts are redacted only when they are read, which is rare. */
class CleanResult implements ReplayResult {
  readonly step: ClientStep;
  readonly verdict: ReplayVerdict;
  readonly error: string | undefined;
  readonly durationMs: number | undefined;
  readonly differences: readonly Difference[];
  readonly #texts: Pick<Partial<ReplayResult>, 'sent' | 'response' | 'recorded' | 'accepted'>;
  readonly #judge: ReplayJudge;

  constructor(step: ClientStep, verdict: ReplayVerdict, more: Partial<ReplayResult>, judge: ReplayJudge) {
    this.step = step;
    this.verdict = verdict;
    this.error = more.error;
    this.durationMs = more.durationMs;
    this.differences = more.differences ?? NO_DIFFERENCES;
    this.#texts = more;
    this.#judge = judge;
  }

  get sent(): JsonText | undefined {
    return this.#clean(this.#texts.sent);
  }

  get response(): JsonText | undefined {
    return this.#clean(this.#texts.response);
  }

  get recorded(): JsonText | undefined {
    return this.#clean(this.#texts.recorded ?? this.step.answer?.text);
  }

  get accepted(): JsonText | undefined {
    return this.#clean(this.#texts.accepted);
  }

  #clean(text: JsonText | undefined): JsonText | undefined {
    return text === undefined ? undefined : this.#judge.clean(text);
  }
}

interface AnsweredStep {
  readonly sent: JsonText | undefined;
  readonly response: JsonText;
  readonly recorded: JsonText | undefined;
  readonly durationMs: number | undefined;
}

interface ComparedAnswer extends AnsweredStep {
  readonly differences: readonly Difference[];
  readonly accepted?: JsonText | undefined;
}
