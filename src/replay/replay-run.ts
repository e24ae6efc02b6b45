import { setTimeout as delay } from 'node:timers/promises';
import { IgnoreRules } from '../analysis/diff/ignore-rules.ts';
import { ReelError } from '../model/errors.ts';
import type { SessionHeader } from '../model/session.ts';
import { conversationOf, type DialogueMessage, type RecordedDialogue } from '../recorded/recorded-dialogue.ts';
import { connectTarget } from '../transport/outbound/connect-target.ts';
import { ReplayJudge } from './judge/judge.ts';
import type { ReplayResult } from './judge/replay-result.ts';
import { planFor } from './planned-steps.ts';
import { DialogueReplay } from './replay-dialogue.ts';
import type { ReplayDeps, ReplayOptions } from './replay-options.ts';
import { ReplayRecorder } from './replay-recorder.ts';
import { cleanedBy, replayRedactor } from './replay-redactor.ts';
import { inOrder } from './step-order.ts';

/** Replays all dialogues of a session concurrently, with their steps in recorded order. */
export class ReplayRun {
  readonly #options: ReplayOptions;
  readonly #deps: ReplayDeps;
  readonly #dialogues: readonly RecordedDialogue[];
  /** Keyed by the recorded conversation. */
  readonly #replays: ReadonlyMap<number, DialogueReplay>;
  readonly #results: ReplayResult[] = [];
  #unreachable: string | undefined;
  #hasReached = false;

  constructor(header: SessionHeader, dialogues: readonly RecordedDialogue[], options: ReplayOptions, deps: ReplayDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#dialogues = dialogues;
    const { profile, ignore, target } = options;
    const { nowMs, note, startTarget } = deps;
    const clean = cleanedBy(() => replayRedactor(header, target, deps.newId(), deps.env ?? {}));
    const judge = new ReplayJudge({ profile, ignore: new IgnoreRules(ignore), clean });
    const plan = planFor(dialogues, options);
    const openLink = connectTarget(target, { nowMs, startTarget });
    const recorder = new ReplayRecorder(deps);
    this.#replays = new Map(
      dialogues.map((dialogue) => [
        dialogue.conversation,
        new DialogueReplay(dialogue, {
          ...options,
          openLink,
          judge,
          plan,
          nowMs,
          note,
          onResult: (result) => this.#take(result),
          onLine: (text) => deps.onLine?.(text),
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
    const { signal } = this.#deps;
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
    for (const { step, arrived, pauseMs } of inOrder(this.#dialogues)) {
      for (const message of arrived) {
        const incoming = this.#replayOf(message)?.incoming(message);
        if (incoming !== undefined) await incoming;
      }
      this.#checkReached();
      if (this.#options.speed > 0 && pauseMs > 0) await this.#pause(pauseMs);
      if (this.#deps.signal?.aborted) return;
      const playing = this.#replayOf(step)?.play(step);
      if (playing !== undefined) await playing;
    }
    for (const replay of this.#replays.values()) await replay.finish();
    this.#checkReached();
  }

  #replayOf({ entry }: DialogueMessage): DialogueReplay | undefined {
    return this.#replays.get(conversationOf(entry));
  }

  async #pause(pauseMs: number): Promise<void> {
    const { signal } = this.#deps;
    await delay(pauseMs / this.#options.speed, undefined, { signal }).catch(() => undefined);
  }

  #checkReached(): void {
    if (this.#unreachable === undefined || this.#hasReached || this.#deps.signal?.aborted) return;
    const reason = this.#unreachable;
    const hasExited = reason.startsWith('the server exited');
    throw new ReelError(
      'target-unreachable',
      reason.startsWith('Cannot start ') ? reason : `Cannot replay: ${reason}`,
      {
        ...(hasExited && { hint: 'Run the server command on its own to see why.' }),
      },
    );
  }

  #take(result: ReplayResult): void {
    if (this.#deps.signal?.aborted) return;
    this.#results.push(result);
    this.#deps.onResult(result);
  }

  async #close(): Promise<void> {
    await Promise.all([...this.#replays.values()].map((replay) => replay.close()));
  }
}
