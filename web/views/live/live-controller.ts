import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { draftAnswer } from '../../../src/protocol/written-message.ts';
import type { ServedLive, ServedSession } from '../../sources/served-live.ts';
import type { ServedDecision, ServedHeldMessage, ServedMode } from '../../sources/served-protocol.ts';
import type { PageState } from '../../state/page.ts';

/** A held message with its session. */
export interface WaitingDecision {
  readonly session: ServedSession;
  readonly held: ServedHeldMessage;
}

/** The text that the user is writing for a held message. */
export type PendingEdit = { readonly what: 'edit' | 'answer'; readonly id: string } | undefined;

const NOTHING_HELD = 'No message is held.';
const NO_ANSWER = 'Only requests can be answered.';

/** The user's actions on held messages, in all sessions. */
export class LiveController {
  readonly live: ServedLive;
  /** All held messages, longest wait first. */
  readonly waiting: ReadonlySignal<readonly WaitingDecision[]>;
  /** The message that keys apply to: the longest waiting, unless the user chose another. */
  readonly chosen: ReadonlySignal<WaitingDecision | undefined>;
  readonly writing: Signal<PendingEdit> = signal(undefined);
  readonly #page: PageState;
  readonly #requested: Signal<string | undefined> = signal(undefined);

  constructor(page: PageState, live: ServedLive) {
    this.#page = page;
    this.live = live;
    this.waiting = computed(() =>
      live.sessions.value
        .flatMap((session) => session.held.map((held) => ({ session, held })))
        .sort((a, b) => a.held.atMs - b.held.atMs),
    );
    this.chosen = computed(() => {
      const waiting = this.waiting.value;
      return waiting.find(({ held }) => held.id === this.#requested.value) ?? waiting[0];
    });
  }

  choose(id: string): void {
    this.#requested.value = id;
    this.writing.value = undefined;
  }

  chooseNext(): void {
    const waiting = this.waiting.value;
    const place = waiting.findIndex(({ held }) => held.id === this.chosen.value?.held.id);
    const next = waiting[(place + 1) % Math.max(1, waiting.length)];
    if (next !== undefined) this.choose(next.held.id);
  }

  /** Begins an edit or an answer for the chosen message, which stays chosen. */
  write(what: 'edit' | 'answer'): void {
    const held = this.chosen.value?.held;
    if (held === undefined) this.#page.notice.value = NOTHING_HELD;
    else if (what === 'answer' && draftAnswer(held.text) === undefined) this.#page.notice.value = NO_ANSWER;
    else {
      this.#requested.value = held.id;
      this.writing.value = { what, id: held.id };
    }
  }

  stopWriting(): void {
    this.writing.value = undefined;
  }

  /** Decides on a message. If the session refuses, shows the reason as a notice. */
  async decide({ session, held }: WaitingDecision, requested: ServedDecision): Promise<void> {
    try {
      const hints = await this.live.decide(session.id, held.id, requested);
      if (hints.length > 0) this.#page.notice.value = `Sent. ${hints.join(' ')}`;
      if (this.writing.value?.id === held.id) this.writing.value = undefined;
    } catch (error) {
      this.#page.notice.value = (error as Error).message;
    }
  }

  decideChosen(requested: ServedDecision): void {
    const chosen = this.chosen.value;
    if (chosen === undefined) this.#page.notice.value = NOTHING_HELD;
    else void this.decide(chosen, requested);
  }

  forwardAll(): void {
    for (const waiting of this.waiting.value) void this.decide(waiting, { action: 'forward' });
  }

  async setMode({ id }: ServedSession, mode: ServedMode, filter: string | undefined): Promise<string | undefined> {
    try {
      await this.live.setMode(id, mode, filter);
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }

  /** Toggles between holding and passing messages: in the session of the chosen message, or in all running sessions. */
  toggleMode(): void {
    const chosen = this.chosen.value?.session;
    const running = this.live.sessions.value.filter(({ ending }) => ending === undefined);
    for (const session of chosen === undefined ? running : [chosen]) {
      const { mode, filter } = session.state;
      void this.setMode(session, mode === 'intercept' ? 'passthrough' : 'intercept', filter).then((fault) => {
        if (fault !== undefined) this.#page.notice.value = fault;
      });
    }
  }
}
