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

/** What came so long after everything else came by itself, and when it comes again nobody can say. */
const BY_ITSELF_MS = 1000;

/** Notifications that tell how far tasks are, which is a matter of time. */
const OF_TASKS: ReadonlySet<string> = new Set(['notifications/tasks', 'notifications/tasks/status']);
const LOG = 'notifications/message';

/**
 * Finds what a server told before and does not tell now, or tells otherwise: progress, log lines, changes. Each belongs to
 * a request: the one that it was told for, or the last one before it. In which order they come, and what is told beside
 * them, does not matter.
 */
export class ReplayNotifications {
  readonly #options: NotificationsOptions;
  readonly #expected = new Map<number, Set<ServerMessage>>();
  /** What came and was not recognised yet, by method. */
  readonly #strays = new Map<string, StrayNotification[]>();

  constructor(options: NotificationsOptions) {
    this.#options = options;
    for (const [owner, notice] of ownedNotices(options.dialogue)) {
      this.#expected.set(owner, (this.#expected.get(owner) ?? new Set()).add(notice));
    }
  }

  /** The server tells something, while this is the only request that runs, if it is. */
  take(text: JsonText, method: string, during: number | undefined): void {
    const strays = this.#strays.get(method);
    if (strays === undefined) this.#strays.set(method, [{ text, during }]);
    else strays.push({ text, during });
  }

  /**
   * What belongs to a request and did not come yet. What came in the course of another is taken for it only at last: that
   * may have been told the same.
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

  /** In what that which came differs from what belongs to a request. */
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

  /** Whether this came: then it is not looked for any more, on either side. */
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

/** Each notification with the request that it belongs to, by the index of its step. */
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

/** The token of progress: the client's own, so that it is what it was. */
function tokenIn(text: JsonText): JsonText | undefined {
  return idAt(text, 'reportedProgress');
}
