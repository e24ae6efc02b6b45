import { encodeString } from '../json/scan.ts';
import type { JsonText } from '../model/entry.ts';
import { idKey } from '../protocol/envelope.ts';
import { idAt, withIdAt } from '../protocol/id-splice.ts';
import { BoundValues } from '../recorded/bound-values.ts';
import { withId } from '../recorded/message-id.ts';
import type { ClientStep, RecordedDialogue, ServerMessage } from '../recorded/recorded-dialogue.ts';
import { ReusedValues } from '../recorded/reused-values.ts';
import type { TargetLink, TargetLinkEvents } from '../transport/outbound/target-link.ts';

import type { SendRequest } from './era/dialect.ts';
import { agreeOnEra, type EraAgreement } from './era/handshake.ts';
import type { ReplayJudge } from './judge/judge.ts';
import { ReplayNotifications } from './judge/notifications.ts';
import { ResultReporter, type ResultReporterOptions } from './judge/result-reporter.ts';
import { type ConnectionEvents, type ConnectionReply, ReplayConnection } from './replay-connection.ts';
import type { ReplayOptions } from './replay-options.ts';
import type { ReplayPlan } from './replay-plan.ts';
import { ServerRequests } from './server-requests.ts';
import { laterPolls, pollTask } from './task-polls.ts';

export interface DialogueReplayOptions
  extends Pick<ReplayOptions, 'timeoutMs' | 'handshake' | 'onServerRequest' | 'allowRedacted'>,
    Pick<ResultReporterOptions, 'onResult' | 'onUnreachable'> {
  readonly openLink: (events: TargetLinkEvents) => TargetLink;
  readonly judge: ReplayJudge;
  readonly plan: ReplayPlan;
  readonly nowMs: () => number;
  readonly note: (line: string) => void;
  readonly onLine: (text: string) => void;
  readonly onTraffic: ConnectionEvents['onTraffic'];
}

/** How long to wait for a server request or notification that was recorded here but that no response depends on. */
const SETTLE_MS = 3000;

/** How long a result waits for what belongs to the response, since it may arrive on another stream or by a timer. */
const NOTICE_MS = 1000;

/** Notifications whose timing is arbitrary. */
const UNTIMELY: ReadonlySet<string | undefined> = new Set(['notifications/message', 'notifications/progress']);

/** Replays one recorded dialogue over its own connection. */
export class DialogueReplay {
  readonly #dialogue: RecordedDialogue;
  readonly #options: DialogueReplayOptions;
  readonly #bound: BoundValues;
  readonly #verdicts: ResultReporter;
  readonly #notices: ReplayNotifications;
  /** For each recorded notification, how many of its method had been received up to it. */
  readonly #ordinals: ReadonlyMap<ServerMessage, number>;
  readonly #arrivals = new ReceivedMessages();
  readonly #requested: ServerRequests;
  readonly #running = new Set<number>();
  /** Outcomes of the requests without a response, by step index. */
  readonly #outcomes = new Map<number, Promise<void>>();
  readonly #liveIds = new Map<string | number, JsonText>();
  /** Recorded responses to requests that are not sent. */
  readonly #leftOut: JsonText[] = [];
  /** Methods of messages that were awaited but never arrived. */
  readonly #givenUp = new Set<string | undefined>();
  #agreement: Promise<EraAgreement> | undefined;
  /** The settled value of `#agreement`. */
  #agreed: EraAgreement | undefined;
  #connection: ReplayConnection | undefined;

  constructor(dialogue: RecordedDialogue, options: DialogueReplayOptions) {
    const { judge, onServerRequest, allowRedacted, note } = options;
    this.#dialogue = dialogue;
    this.#options = options;
    this.#ordinals = ordinalsIn(dialogue);
    const reused = new ReusedValues(dialogue);
    this.#bound = new BoundValues((value) => reused.has(value));
    this.#requested = new ServerRequests({
      dialogue,
      bound: this.#bound,
      judge,
      policy: onServerRequest,
      allowRedacted,
      note,
      say: (text) => this.#connection?.say(text),
      runningStep: () => this.#onlyRunning(),
    });
    this.#notices = new ReplayNotifications({ dialogue, bound: this.#bound, judge });
    const settling = (step: ClientStep): Promise<void> | undefined => this.#settling(step);
    const { bound, asked: requested, notices } = { bound: this.#bound, asked: this.#requested, notices: this.#notices };
    this.#verdicts = new ResultReporter({ ...options, bound, reused, serverRequests: requested, notices, settling });
  }

  /**
   * Waits until a recorded server message has arrived again or cannot arrive any more; `undefined` if there is no need
   * to wait.
   */
  incoming(message: ServerMessage): Promise<void> | undefined {
    const { kind, answers } = message;
    if (kind !== 'response') return this.#incomingOf(message);
    return answers === undefined ? undefined : this.#outcomes.get(answers);
  }

  async #incomingOf(message: ServerMessage): Promise<void> {
    if (this.#agreement === undefined || this.#givenUp.has(message.method) || !this.#isAwaited(message)) return;
    const { serves } = message;
    const isOver = (): boolean => serves !== undefined && !this.#running.has(serves);
    const isThere = this.#testFor(message);
    const limitMs = Math.min(SETTLE_MS, this.#options.timeoutMs);
    const ends = (): boolean => isThere() || isOver() || this.#connection?.endReason !== undefined;
    if (!(await this.#arrivals.until(ends, limitMs))) this.#givenUp.add(message.method);
  }

  /** Waits for server requests and notifications of a request that are missing but may still arrive. */
  #settling(step: ClientStep): Promise<void> | undefined {
    const isThere = (): boolean =>
      this.#notices.missing(step, 'meanwhile').every(({ method }) => this.#givenUp.has(method)) &&
      this.#requested.missing(step.index).every(({ method }) => this.#givenUp.has(method));
    if (isThere()) return undefined;
    const ends = (): boolean => isThere() || this.#connection?.endReason !== undefined;
    return this.#arrivals.until(ends, Math.min(NOTICE_MS, this.#options.timeoutMs)).then(() => {
      for (const { method } of this.#notices.missing(step, 'at last')) this.#givenUp.add(method);
      for (const { method } of this.#requested.missing(step.index)) this.#givenUp.add(method);
    });
  }

  #onlyRunning(): number | undefined {
    return this.#running.size === 1 ? [...this.#running][0] : undefined;
  }

  /** Sends a recorded client message; resolves when it is sent, `undefined` if it was sent at once. */
  play(step: ClientStep): Promise<void> | undefined {
    const { plan } = this.#options;
    const action = plan.actionOf(step);
    if (action.kind === 'send') {
      // Awaiting a settled promise costs as much as sending a message.
      if (this.#agreed === undefined || this.#agreed.connection.ready() !== undefined) return this.#sendLater(step);
      this.#send(step, this.#agreed);
      return undefined;
    }
    this.#requested.reach(step.index);
    this.#leaveOut(step);
    if (action.kind === 'skip') this.#verdicts.report(step, 'skipped', { error: action.reason });
    if (action.kind === 'refuse') this.#verdicts.report(step, 'error', { error: `Not sent: ${action.reason}` });
    return undefined;
  }

  /** The values that a call issued are unknown if it is not replayed. */
  #leaveOut({ kind, method = '', answer }: ClientStep): void {
    if (kind !== 'request' || answer === undefined || method === 'initialize') return;
    this.#leftOut.push(answer.text);
    this.#bound.learnMissing(answer.text, method);
  }

  async #sendLater(step: ClientStep): Promise<void> {
    this.#agreement ??= this.#agree();
    this.#agreed = await this.#agreement;
    await this.#agreed.connection.ready();
    this.#send(step, this.#agreed);
  }

  #send(step: ClientStep, agreement: EraAgreement): void {
    this.#requested.reach(step.index);
    if (step.kind === 'request') this.#start(step, agreement);
    else this.#notify(step, agreement);
  }

  /** Resolves when every request has its outcome. */
  async finish(): Promise<void> {
    this.#requested.reach(Number.POSITIVE_INFINITY);
    await Promise.all(this.#outcomes.values());
    await this.#verdicts.finish();
  }

  async close(): Promise<void> {
    await this.#connection?.close();
  }

  async #agree(): Promise<EraAgreement> {
    const { handshake, timeoutMs, nowMs, note, plan } = this.#options;
    return agreeOnEra({
      dialogue: this.#dialogue,
      connect: () => this.#connect(),
      handshake,
      maySend: (step) => plan.actionOf(step).kind === 'send',
      resultFor: (text, method) => this.#requested.resultFor(text, method),
      timeoutMs,
      nowMs,
      note,
    });
  }

  async #connect(): Promise<ReplayConnection> {
    await this.#connection?.close();
    const { openLink, onLine, onTraffic, nowMs } = this.#options;
    const events: ConnectionEvents = {
      onRequest: (text, id, method) => {
        this.#requested.take(text, id, method);
        this.#arrivals.happened();
      },
      onNotice: (text, method) => {
        this.#notices.take(text, method, this.#onlyRunning());
        this.#arrivals.notice(method);
      },
      onLine: (_, text) => onLine(text),
      onTraffic,
      onEnd: () => this.#arrivals.happened(),
    };
    const connection = new ReplayConnection(openLink, events, nowMs);
    this.#connection = connection;
    return connection;
  }

  /** Log lines may come at any time. Progress is awaited only while its request is running. */
  #isAwaited({ kind, method, serves }: ServerMessage): boolean {
    if (kind === 'request') return method !== 'ping';
    return kind === 'notification' && (!UNTIMELY.has(method) || serves !== undefined);
  }

  #testFor(message: ServerMessage): () => boolean {
    if (message.kind === 'request') return () => this.#requested.wasRequested(message);
    const { method = '' } = message;
    return () => this.#arrivals.noticesOf(method) >= (this.#ordinals.get(message) ?? 0);
  }

  #notify(step: ClientStep, agreement: EraAgreement): void {
    const named = this.#namedNow(step, agreement);
    if (named === undefined) return;
    const { dialect, connection } = agreement;
    const wording = dialect.word(step, named);
    if (wording.kind !== 'said') {
      this.#verdicts.report(step, 'skipped', { error: wording.kind === 'unsayable' ? wording.reason : undefined });
      return;
    }
    connection.say(wording.text);
    this.#verdicts.report(step, 'sent', { sent: wording.text });
  }

  /** The message with the live target's ids and generated values. If it cannot be sent, reports why. */
  #namedNow(step: ClientStep, agreement: EraAgreement): JsonText | undefined {
    const { text, method = '' } = step;
    const { text: named, unclear } = this.#bound.toLive(text, method);
    const error = obstacle(agreement) ?? (unclear === undefined ? undefined : this.#uncertainty(unclear));
    if (error !== undefined) {
      this.#verdicts.reportUnsent(step, error);
      return undefined;
    }
    if (method !== 'notifications/cancelled') return named;
    const id = idAt(named, 'cancelled');
    const live = id === undefined ? undefined : this.#liveIds.get(idKey(id));
    return live === undefined ? named : withIdAt(named, 'cancelled', live);
  }

  /** Sending the recorded value might change another object than the recorded call did. */
  #uncertainty(value: string): string {
    const shown = this.#options.judge.clean(encodeString(value));
    return this.#leftOut.some((answer) => answer.includes(value))
      ? `Not sent: the call that returned ${shown} was not replayed`
      : `Not sent: cannot determine which live value replaces ${shown}`;
  }

  #start(step: ClientStep, agreement: EraAgreement): void {
    const outcome = this.#request(step, agreement)?.then(() => void this.#outcomes.delete(step.index));
    if (outcome !== undefined) this.#outcomes.set(step.index, outcome);
  }

  /** Sends a request; resolves when its outcome is reported, `undefined` if that was at once. */
  #request(step: ClientStep, agreement: EraAgreement): Promise<void> | undefined {
    const { opening, dialect } = agreement;
    const expected = dialect.expected(step);
    if (opening?.step === step) {
      this.#verdicts.conclude(step, { ...opening, expected }, agreement);
      return undefined;
    }
    const named = this.#namedNow(step, agreement);
    if (named === undefined) return undefined;
    const wording = dialect.word(step, named);
    switch (wording.kind) {
      case 'unsayable':
        this.#verdicts.report(step, 'skipped', { error: wording.reason });
        return undefined;
      case 'answered': {
        const reply: ConnectionReply = { kind: 'answer', text: wording.text };
        this.#verdicts.conclude(step, { sent: undefined, reply, durationMs: undefined, expected }, agreement);
        return undefined;
      }
      case 'said':
        return this.#exchange(step, wording.text, expected, agreement);
    }
  }

  async #exchange(
    step: ClientStep,
    text: JsonText,
    expected: JsonText | undefined,
    agreement: EraAgreement,
  ): Promise<void> {
    const { timeoutMs, nowMs } = this.#options;
    const { connection, dialect } = agreement;
    let sent = text;
    const isAwaited = expected !== undefined && step.cancelledBy === undefined;
    const ask = (requested: JsonText): Promise<ConnectionReply> => {
      const id = connection.newId();
      sent = withId(requested, String(id));
      if (step.id !== undefined) this.#liveIds.set(idKey(step.id), String(id));
      return connection.request(sent, id, isAwaited ? timeoutMs : undefined);
    };
    if (!isAwaited) {
      void ask(text);
      this.#verdicts.report(step, 'sent', { sent });
      return;
    }
    this.#running.add(step.index);
    const startedMs = nowMs();
    const reply =
      step.method === 'tasks/get'
        ? await this.#poll(step, text, ask, expected)
        : await dialect.converse(step, text, ask);
    const durationMs = nowMs() - startedMs;
    this.#running.delete(step.index);
    this.#verdicts.conclude(
      step,
      { sent, reply, durationMs, expected: this.#nearest(step, reply, expected) },
      agreement,
    );
    this.#arrivals.happened();
  }

  #poll(step: ClientStep, text: JsonText, ask: SendRequest, expected: JsonText): Promise<ConnectionReply> {
    const { timeoutMs, nowMs } = this.#options;
    const isExpected = (answer: JsonText): boolean => this.#verdicts.differences(step, expected, answer).length === 0;
    return pollTask(text, { ask, limitMs: timeoutMs, nowMs, isExpected });
  }

  /** If a task has progressed further than when it was recorded, the later recorded response that matches. */
  #nearest(step: ClientStep, reply: ConnectionReply, expected: JsonText): JsonText {
    if (step.method !== 'tasks/get' || reply.kind !== 'answer') return expected;
    const { text } = reply;
    return (
      laterPolls(this.#dialogue, step).find((later) => this.#verdicts.differences(step, later, text).length === 0) ??
      expected
    );
  }
}

/** Why nothing can be sent. */
function obstacle({ failure, connection }: EraAgreement): string | undefined {
  const reason = failure ?? connection.endReason;
  return reason === undefined ? undefined : `Not sent: ${reason}`;
}

function ordinalsIn({ unprompted }: RecordedDialogue): Map<ServerMessage, number> {
  const counts = new Map<string, number>();
  const ordinals = new Map<ServerMessage, number>();
  for (const message of unprompted) {
    if (message.kind !== 'notification') continue;
    const count = (counts.get(message.method ?? '') ?? 0) + 1;
    counts.set(message.method ?? '', count);
    ordinals.set(message, count);
  }
  return ordinals;
}

/** Counts received notifications and wakes those who wait for messages. */
class ReceivedMessages {
  readonly #notices = new Map<string, number>();
  readonly #waiting = new Set<() => void>();

  notice(method: string): void {
    this.#notices.set(method, this.noticesOf(method) + 1);
    this.happened();
  }

  noticesOf(method: string): number {
    return this.#notices.get(method) ?? 0;
  }

  /** Called when a message arrived or the connection ended. */
  happened(): void {
    if (this.#waiting.size > 0) for (const look of [...this.#waiting]) look();
  }

  /** Resolves with `true` as soon as the condition holds, or with `false` after `limitMs`. */
  async until(isSo: () => boolean, limitMs: number): Promise<boolean> {
    if (isSo()) return true;
    return new Promise((resolve) => {
      const finish = (is: boolean): void => {
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve(is);
      };
      const look = (): void => {
        if (isSo()) finish(true);
      };
      const timer = setTimeout(finish, limitMs, false);
      this.#waiting.add(look);
    });
  }
}
