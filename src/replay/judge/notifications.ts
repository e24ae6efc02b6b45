import { toolOf } from '../../analysis/calls/call-reply.ts';
import type { Difference } from '../../analysis/diff/compare-answers.ts';
import { encodeString } from '../../json/scan.ts';
import type { JsonText } from '../../model/entry.ts';
import { idAt } from '../../protocol/id-splice.ts';
import type { BoundValues } from '../../recorded/bound-values.ts';
import type { ClientStep, RecordedDialogue, ServerMessage } from '../../recorded/recorded-dialogue.ts';
import type { ReplayJudge } from './judge.ts';

export interface NotificationsOptions {
  readonly dialogue: RecordedDialogue;
  readonly bound: BoundValues;
  readonly judge: Pick<ReplayJudge, 'identityOf' | 'questionDifferences' | 'ignores'>;
}

/** A notification sent this long after any other message is unprompted, and its timing cannot be predicted. */
const BY_ITSELF_MS = 1000;

/** Notifications about task status, which depend on timing. */
const OF_TASKS: ReadonlySet<string> = new Set(['notifications/tasks', 'notifications/tasks/status']);
const LOG = 'notifications/message';

/**
 * Finds recorded notifications (progress, log lines, changes) that the live server omits or changes. Each belongs to a
 * request: the one it names, or the last one before it. Their order and additional notifications do not matter.
 */
export class ReplayNotifications {
  readonly #options: NotificationsOptions;
  readonly #expected = new Map<number, Set<ServerMessage>>();
  /** Received notifications without a recorded counterpart yet, by method. */
  readonly #strays = new Map<string, StrayNotification[]>();

  constructor(options: NotificationsOptions) {
    this.#options = options;
    for (const [owner, notice] of ownedNotices(options.dialogue)) {
      this.#expected.set(owner, (this.#expected.get(owner) ?? new Set()).add(notice));
    }
  }

  /** Adds a received notification; `during` is the step of the only running request, if there is just one. */
  take(text: JsonText, method: string, during: number | undefined): void {
    const strays = this.#strays.get(method);
    if (strays === undefined) this.#strays.set(method, [{ text, during }]);
    else strays.push({ text, during });
  }

  /**
   * The expected notifications of a request that have not been received yet. Notifications received during another
   * request count only 'at last', because that request may expect the same ones.
   */
  missing({ index }: ClientStep, when: 'meanwhile' | 'at last'): readonly ServerMessage[] {
    const expected = this.#expected.get(index);
    if (expected === undefined) return NONE;
    for (const notice of expected) {
      if (this.#recognise(notice, 'meanwhile') || (when === 'at last' && this.#recognise(notice, when))) {
        expected.delete(notice);
      }
    }
    if (expected.size === 0) this.#expected.delete(index);
    return [...expected];
  }

  /** How the received notifications differ from those expected for a request. */
  differences(step: ClientStep): readonly Difference[] {
    const missing = this.missing(step, 'at last');
    if (missing.length === 0) return NO_DIFFERENCES;
    const { judge } = this.#options;
    const tool = toolOf(step);
    const found = missing.flatMap((notice) => this.#differencesOf(notice, tool));
    return found.filter(({ path }) => !judge.ignores(path, tool));
  }

  #differencesOf(notice: ServerMessage, tool: string | undefined): readonly Difference[] {
    const { bound, judge } = this.#options;
    const { method = '', text } = notice;
    const strays = this.#strays.get(method) ?? [];
    const at = strays.findIndex((stray) => mayBe(notice, stray) && tokenIn(stray.text) === tokenIn(text));
    const [nearest] = at < 0 ? [] : strays.splice(at, 1);
    if (nearest !== undefined) return judge.questionDifferences(text, bound.toRecorded(nearest.text, method), tool);
    return [{ path: '$.method', recorded: encodeString(method), replayed: undefined }];
  }

  /** Looks for a received counterpart and removes it from the received ones. */
  #recognise(notice: ServerMessage, when: 'meanwhile' | 'at last'): boolean {
    const { bound, judge } = this.#options;
    const { method = '', text } = notice;
    const strays = this.#strays.get(method) ?? [];
    if (strays.length === 0) return false;
    const [identity, token] = [judge.identityOf(text), tokenIn(text)];
    const at = strays.findIndex(
      (stray) =>
        (when === 'at last' || mayBe(notice, stray)) &&
        tokenIn(stray.text) === token &&
        judge.identityOf(bound.toRecorded(stray.text, method)) === identity,
    );
    if (at >= 0) strays.splice(at, 1);
    return at >= 0;
  }
}

const NONE: readonly ServerMessage[] = [];
const NO_DIFFERENCES: readonly Difference[] = [];

interface StrayNotification {
  readonly text: JsonText;
  readonly during: number | undefined;
}

function mayBe({ serves }: ServerMessage, { during }: StrayNotification): boolean {
  return serves === undefined || during === undefined || serves === during;
}

/** Each notification with the step index of the request it belongs to. */
function* ownedNotices({ messages, unprompted }: RecordedDialogue): Generator<[number, ServerMessage]> {
  if (unprompted.length === 0) return;
  let last: number | undefined;
  let lastMs: number | undefined;
  for (const message of messages) {
    const { atMs } = message.entry;
    if (message.from === 'client') {
      if (message.kind === 'request') last = message.index;
    } else if (message.kind === 'notification') {
      const { serves, method = '' } = message;
      const owner = serves ?? (method === LOG ? undefined : last);
      const isByItself = serves === undefined && atMs - (lastMs ?? atMs) > BY_ITSELF_MS;
      if (owner !== undefined && !isByItself && !OF_TASKS.has(method)) yield [owner, message];
    }
    lastMs = atMs;
  }
}

/** The progress token. The client chooses it, so it is the same in the recording and in the replay. */
function tokenIn(text: JsonText): JsonText | undefined {
  return idAt(text, 'reportedProgress');
}
