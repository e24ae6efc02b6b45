import { setTimeout as delay } from 'node:timers/promises';
import { IgnoreRules } from '../analysis/diff-ignore.ts';
import { linkOpener } from '../capture/bridge-target.ts';
import { DEFAULT_MAX_MESSAGE_BYTES } from '../capture/capture-options.ts';
import { ReelError } from '../model/errors.ts';
import type { RecordedSession, SessionHeader } from '../model/session.ts';
import type { TargetProcess } from '../transport/target-process.ts';
import { EarlyTarget } from './early-target.ts';
import { type ClientStep, dialoguesOf, type RecordedDialogue } from './recorded-dialogue.ts';
import { cleanedBy, replayRedactor } from './replay-cleaning.ts';
import { DialogueReplay } from './replay-dialogue.ts';
import { ReplayJudge } from './replay-judge.ts';
import type { ReplayOptions, ReplaySurroundings } from './replay-options.ts';
import { inOrder } from './replay-order.ts';
import { type Fate, ReplayPlan, type ReplayWishes } from './replay-plan.ts';
import { ReplayRecorder } from './replay-recorder.ts';
import type { ReplayResult } from './replay-result.ts';

/**
 * Replays what the client of a session said to a live target, and compares the answers. What goes wrong with the target
 * are results; it fails where the target was never reached, and where the session has nothing to replay.
 */
export async function replaySession(
  session: RecordedSession,
  options: ReplayOptions,
  around: ReplaySurroundings,
): Promise<readonly ReplayResult[]> {
  const early = new EarlyTarget(around.startTarget);
  try {
    const isProgram = options.target.transport === 'stdio';
    const dialogues = await dialoguesOf(isProgram ? early.startWith(session) : session, 'target');
    const startTarget = (): Promise<TargetProcess> => early.take();
    const run = new ReplayRun(session.header, dialogues, options, { ...around, startTarget });
    return await run.play();
  } finally {
    await early.close();
  }
}

/** A message of the client, and what a replay would do with it. */
export interface PlannedStep {
  readonly step: ClientStep;
  readonly fate: Fate;
}

/** What would be replayed of a session, for those who want to know before. */
export async function plannedSteps(session: RecordedSession, options: ReplayWishes): Promise<readonly PlannedStep[]> {
  const dialogues = await dialoguesOf(session, 'target');
  refuseEmpty(dialogues);
  const plan = planFor(dialogues, options);
  return Array.from(inOrder(dialogues), ({ message: step }) => ({ step, fate: plan.fateOf(step) }));
}

class ReplayRun {
  readonly #options: ReplayOptions;
  readonly #around: ReplaySurroundings;
  readonly #dialogues: readonly RecordedDialogue[];
  readonly #replays: ReadonlyMap<RecordedDialogue, DialogueReplay>;
  readonly #results: ReplayResult[] = [];
  #unreachable: string | undefined;
  #hasReached = false;

  constructor(
    header: SessionHeader,
    dialogues: readonly RecordedDialogue[],
    options: ReplayOptions,
    around: ReplaySurroundings,
  ) {
    this.#options = options;
    this.#around = around;
    this.#dialogues = dialogues;
    refuseEmpty(dialogues);
    const { profile, ignore, target } = options;
    const { nowMs, note, startTarget } = around;
    const clean = cleanedBy(() => replayRedactor(header, target, around.newId()));
    const judge = new ReplayJudge({ profile, ignore: new IgnoreRules(ignore), clean });
    const plan = planFor(dialogues, options);
    const maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES;
    const openLink = linkOpener({ target, around: { nowMs, startTarget }, maxMessageBytes, own: undefined });
    const recorder = new ReplayRecorder(around);
    this.#replays = new Map(
      dialogues.map((dialogue) => [
        dialogue,
        new DialogueReplay(dialogue, {
          ...options,
          openLink,
          judge,
          plan,
          nowMs,
          note,
          onResult: (result) => this.#take(result),
          onLine: (text) => around.onLine?.(text),
          onTraffic: (direction, text, origin) => {
            if (direction === 'server_to_client') this.#hasReached = true;
            recorder.take(direction, text, origin, dialogue.conversation);
          },
          onUnreachable: (reason) => {
            this.#unreachable ??= reason;
          },
        }),
      ]),
    );
  }

  async play(): Promise<readonly ReplayResult[]> {
    const { signal } = this.#around;
    const closeAll = (): void => void this.#close();
    signal?.addEventListener('abort', closeAll);
    try {
      await this.#playSteps();
    } finally {
      signal?.removeEventListener('abort', closeAll);
      await this.#close();
    }
    return this.#results.toSorted((a, b) => a.step.entry.sequence - b.step.entry.sequence);
  }

  async #playSteps(): Promise<void> {
    for (const { dialogue, message, arrived, pauseMs } of inOrder(this.#dialogues)) {
      for (const { dialogue: other, message: awaited } of arrived) {
        const arrival = this.#replays.get(other)?.arrival(awaited);
        if (arrival !== undefined) await arrival;
      }
      this.#checkReached();
      if (this.#options.speed > 0 && pauseMs > 0) await this.#pause(pauseMs);
      if (this.#around.signal?.aborted) return;
      const playing = this.#replays.get(dialogue)?.play(message);
      if (playing !== undefined) await playing;
    }
    for (const replay of this.#replays.values()) await replay.finish();
    this.#checkReached();
  }

  async #pause(pauseMs: number): Promise<void> {
    const { signal } = this.#around;
    await delay(pauseMs / this.#options.speed, undefined, { signal }).catch(() => undefined);
  }

  #checkReached(): void {
    if (this.#unreachable === undefined || this.#hasReached || this.#around.signal?.aborted) return;
    throw new ReelError('target-unreachable', `Cannot reach the target: ${this.#unreachable}`);
  }

  #take(result: ReplayResult): void {
    if (this.#around.signal?.aborted) return;
    this.#results.push(result);
    this.#around.onResult(result);
  }

  async #close(): Promise<void> {
    await Promise.all([...this.#replays.values()].map((replay) => replay.close()));
  }
}

function refuseEmpty(dialogues: readonly RecordedDialogue[]): void {
  const isThere = dialogues.some(({ steps }) =>
    steps.some(({ kind }) => kind === 'request' || kind === 'notification'),
  );
  if (isThere) return;
  throw new ReelError('session-empty', 'The session has no messages of a client to replay', {
    hint: 'Record one with mcpreel record.',
  });
}

function planFor(dialogues: readonly RecordedDialogue[], options: ReplayWishes): ReplayPlan {
  const plan = new ReplayPlan(options);
  for (const { steps } of dialogues) {
    for (const { method, answer } of steps) {
      if (method === 'tools/list' && answer !== undefined) plan.learnTools(answer.text);
    }
  }
  return plan;
}
