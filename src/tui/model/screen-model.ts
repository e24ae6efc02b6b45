import { inOneLine } from '../../model/errors.ts';
import { releaseWords } from '../../present/release-words.ts';
import type { CallReplay, CallReplayOptions } from '../../replay/call-replay.ts';
import type { RunningSession } from '../../state/live-sessions.ts';
import type { FeedListener, ReleasedMessage, SessionFeed } from '../feed/session-feed.ts';
import type { Style } from '../text/styled-row.ts';
import type { ListRow } from './message-list.ts';
import type { ScreenPanel } from './panel.ts';
import type { ReplayView } from './replay-view.ts';
import { SessionView } from './session-view.ts';
import type { TextBuffer } from './text-buffer.ts';

/** What keys are for at the moment, beside moving around. */
export type ScreenActivity =
  | { readonly kind: 'browsing' }
  | { readonly kind: 'filtering'; readonly text: string; readonly fault: string | undefined }
  | { readonly kind: 'searching'; readonly text: string }
  | { readonly kind: 'writing'; readonly what: 'edit' | 'answer'; readonly heldId: string; readonly buffer: TextBuffer }
  | { readonly kind: 'replaying'; readonly replay: ReplayView }
  | { readonly kind: 'helping'; readonly top: number };

/** One line that says what came of a key. */
export interface ScreenNotice {
  readonly text: string;
  readonly style: Style;
}

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** A replay that has been begun. */
export interface RunningReplay {
  readonly result: Promise<CallReplay>;
  readonly cancel: () => void;
}

/** What a screen needs of the world around it. */
export interface ScreenDeps {
  readonly nowMs: () => number;
  /** There is something new to be drawn, when there is time. */
  readonly onChange: () => void;
  readonly copy: (text: string) => void;
  /** Has a text changed in the person's own editor. */
  readonly edit: (text: string) => Promise<string>;
  readonly leave: () => void;
  /** Makes a call once more, beside the session. */
  readonly replay: (options: CallReplayOptions) => RunningReplay;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that the screen was opened in. */
  readonly folder: string;
  readonly openLive: (session: RunningSession, listener: FeedListener) => Promise<SessionFeed>;
  /** Whether leaving ends the session. */
  readonly ownsSession: boolean;
  /** Where clients connect, if it is known. */
  readonly listening: string | undefined;
}

/** From this width on list and detail have room side by side. */
const WIDE = 100;

/** What a session gets to say that it is over. */
const ENDING_MS = 3000;

/** What is on the screen, and where keys go. */
export class ScreenModel {
  readonly deps: ScreenDeps;
  size: ScreenSize = { columns: 80, rows: 24 };
  session: SessionView | undefined;
  doing: ScreenActivity = { kind: 'browsing' };
  remark: ScreenNotice | undefined;
  /** In a narrow window: whether the detail is in front of the list. */
  isDetailOpen = false;
  /** The sessions that run, and the one among them that would be opened next. */
  running: readonly RunningSession[] = [];
  chosen = 0;
  /** The text of the filter as it was typed. */
  filterText = '';
  #focus: ScreenPanel = 'list';
  #isLeaving = false;
  #openedId: string | undefined;

  constructor(deps: ScreenDeps) {
    this.deps = deps;
  }

  get isWide(): boolean {
    return this.size.columns >= WIDE;
  }

  /** How far a page goes: nearly the height of a panel. */
  get pageRows(): number {
    return Math.max(1, this.size.rows - 7);
  }

  get showsSessions(): boolean {
    return this.running.length > 1 || (this.session === undefined && this.running.length > 0);
  }

  /** The panel that keys move in. */
  get focus(): ScreenPanel {
    if (this.session === undefined && this.showsSessions) return 'sessions';
    if (this.#focus === 'sessions' && !this.showsSessions) return 'list';
    if (!this.isWide && this.#focus !== 'sessions') return this.isDetailOpen ? 'detail' : 'list';
    return this.#focus;
  }

  get openedId(): string | undefined {
    return this.#openedId;
  }

  get selected(): ListRow | undefined {
    return this.session?.list.selected;
  }

  /** The next panel, in the order in which they are read. */
  focusNext(): void {
    const panels: ScreenPanel[] = [...(this.showsSessions ? (['sessions'] as const) : []), 'list', 'detail'];
    const next = panels[(panels.indexOf(this.focus) + 1) % panels.length] ?? 'list';
    this.focusOn(next);
  }

  focusOn(panel: ScreenPanel): void {
    this.#focus = panel;
    this.isDetailOpen = panel === 'detail';
  }

  /** Leaves the screen. A session that came with it is told to end first, and the screen stays while it does. */
  leave(): void {
    const { deps, session } = this;
    const steering = session?.feed?.steering;
    if (!deps.ownsSession || this.#isLeaving || steering === undefined || session?.ending !== undefined) {
      deps.leave();
      return;
    }
    this.#isLeaving = true;
    this.say('The session ends…', 'dim');
    // That the screen is left ends it, too: if it does not hear, or takes its time.
    const giveUp = setTimeout(deps.leave, ENDING_MS);
    steering.end().catch(() => {
      clearTimeout(giveUp);
      deps.leave();
    });
  }

  say(text: string, style: Style = 'plain'): void {
    this.remark = { text, style };
    this.deps.onChange();
  }

  /** Says what went wrong. */
  complain(error: unknown): void {
    this.say(inOneLine(error), 'error');
  }

  /** Puts another session on the screen. */
  show(place: string, open: (view: SessionView) => Promise<SessionFeed>): void {
    this.session?.close();
    const view: SessionView = new SessionView(place, {
      nowMs: this.deps.nowMs,
      onChange: () => this.session === view && this.deps.onChange(),
      onReleased: (release) => this.#reportReleased(release),
    });
    this.session = view;
    this.doing = { kind: 'browsing' };
    this.filterText = '';
    this.focusOn('list');
    open(view).then(
      (feed) => {
        view.feed = feed;
        if (this.session !== view) feed.close();
        this.deps.onChange();
      },
      (error) => view.onEnding({ how: 'lost', why: inOneLine(error) }),
    );
  }

  showLive(session: RunningSession): void {
    this.#openedId = session.id;
    this.show(session.trace, (view) => this.deps.openLive(session, view));
  }

  /** The sessions that run have been looked up. One that is alone is opened at once, if nothing is open. */
  setRunning(running: readonly RunningSession[]): void {
    const hasChanged = running.map(({ id }) => id).join() !== this.running.map(({ id }) => id).join();
    this.running = running;
    this.chosen = Math.max(0, Math.min(this.chosen, running.length - 1));
    const [only] = running;
    if (this.session === undefined && running.length === 1 && only !== undefined) this.showLive(only);
    if (hasChanged) this.deps.onChange();
  }

  /** What a screen has decided is told by who asked for it. */
  #reportReleased({ id, action, by }: ReleasedMessage): void {
    const isBeingWritten = this.doing.kind === 'writing' && this.doing.heldId === id;
    if (isBeingWritten && by !== 'screen') {
      this.say(`It was ${releaseWords(action, by)}. Esc goes back.`, 'waiting');
    }
  }
}
