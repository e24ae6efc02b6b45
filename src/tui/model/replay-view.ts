import { isRetyped, type ReplayQuestion, replayQuestion } from '../../present/replay-question.ts';
import type { CallReplay } from '../../replay/call-replay.ts';
import { questionedTarget } from '../../replay/recorded-target.ts';
import type { ReplayTarget } from '../../replay/replay-options.ts';
import type { ReplayableCall } from '../../replay/replayable-call.ts';
import { DetailPane } from './detail-pane.ts';
import type { ScreenPanel } from './panel.ts';

/** The stage of a replay: awaiting confirmation, running, done or failed. */
export type ReplayStage =
  | { readonly kind: 'asking' }
  | { readonly kind: 'running'; readonly sinceMs: number; readonly cancel: () => void }
  | ({ readonly kind: 'done' } & CallReplay)
  | { readonly kind: 'failed'; readonly why: string };

/** What a replay is about. */
export interface ReplaySubject {
  readonly call: ReplayableCall;
  readonly target: ReplayTarget;
  /** Whether mcpreel recorded the session here. */
  readonly isOwn: boolean;
}

/** A replayed call as shown on the screen. */
export class ReplayView {
  readonly call: ReplayableCall;
  readonly target: ReplayTarget;
  readonly question: ReplayQuestion;
  /** The panel that had the focus before. */
  readonly cameFrom: ScreenPanel;
  readonly pane: DetailPane = new DetailPane();
  stage: ReplayStage = { kind: 'asking' };
  /** The command of a foreign recording, as far as the user has typed it. */
  typed = '';
  #isRetyped = false;
  #seenRows = 0;
  #seenWidth = 0;
  #shownRows = 0;
  #isSeen = false;

  constructor({ call, target, isOwn }: ReplaySubject, cameFrom: ScreenPanel) {
    this.call = call;
    this.target = target;
    this.question = replayQuestion(questionedTarget(target), call, isOwn);
    this.cameFrom = cameFrom;
  }

  /** Whether the whole question has been on the screen. */
  get isSeen(): boolean {
    return this.#isSeen;
  }

  get mustType(): boolean {
    return this.question.retype !== undefined && !this.#isRetyped;
  }

  /** Compares the typed command with the recorded one; returns whether it is the same. */
  compareTyped(): boolean {
    this.#isRetyped ||= isRetyped(this.typed, questionedTarget(this.target));
    return this.#isRetyped;
  }

  /** Moves as a key says, but not past rows that have not been on the screen yet. */
  scroll(name: string, page: number): void {
    this.pane.press(name, page);
    const last = this.#seenRows + this.#shownRows - 1;
    if (!this.#isSeen && this.pane.row > last) this.pane.moveTo(last);
  }

  /** Notes the rows that are on the screen. Rows count as seen only if all rows above them have been seen. */
  noteSeen(top: number, height: number, width: number): void {
    const { document } = this.pane;
    if (document === undefined || this.#isSeen) return;
    // At another width the text is in other rows.
    if (width !== this.#seenWidth) this.#seenRows = 0;
    this.#seenWidth = width;
    this.#shownRows = height;
    if (top <= this.#seenRows) this.#seenRows = Math.max(this.#seenRows, top + height);
    document.ensure(this.#seenRows + 1);
    this.#isSeen = document.isComplete && this.#seenRows >= document.length;
  }
}
