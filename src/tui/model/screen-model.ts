import { inOneLine } from '../../model/errors.ts';
import { releaseWords } from '../../present/release-words.ts';
import type { CallReplay, CallReplayOptions } from '../../replay/call-replay.ts';
import type { RunningSession } from '../../state/live-sessions.ts';
import { isOwnFile } from '../../state/trusted-folder.ts';
import type { FeedListener, ReleasedMessage, SessionFeed } from '../feed/session-feed.ts';
import type { Style } from '../view/styled-row.ts';
import type { ListRow } from './message-list.ts';
import type { ScreenPanel } from './panel.ts';
import type { ReplayView } from './replay-view.ts';
import { type SessionPlace, SessionView } from './session-view.ts';
import type { TextBuffer } from './text-buffer.ts';

/** What the user is doing, which decides what keys do. */
export type ScreenActivity =
  | { readonly kind: 'browsing' }
  | { readonly kind: 'filtering'; readonly text: string; readonly fault: string | undefined }
  | { readonly kind: 'searching'; readonly text: string }
  | { readonly kind: 'writing'; readonly what: 'edit' | 'answer'; readonly heldId: string; readonly buffer: TextBuffer }
  | { readonly kind: 'replaying'; readonly replay: ReplayView }
  | { readonly kind: 'helping'; readonly top: number };

/** A one-line message about the effect of a key. */
export interface ScreenNotice {
  readonly text: string;
  readonly style: Style;
}

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

export interface RunningReplay {
  readonly result: Promise<CallReplay>;
  readonly cancel: () => void;
}

/** The dependencies of a screen. */
export interface ScreenDeps {
  readonly nowMs: () => number;
  /** Requests a redraw, when there is time. */
  readonly onChange: () => void;
  readonly copy: (text: string) => void;
  /** Opens a text in the user's editor; resolves with the edited text. */
  readonly edit: (text: string) => Promise<string>;
  readonly leave: () => void;
  /** Replays a call on its own connection. */
  readonly replay: (options: CallReplayOptions) => RunningReplay;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that the screen was opened in. */
  readonly folder: string;
  readonly openLive: (session: RunningSession, listener: FeedListener) => Promise<SessionFeed>;
  /** Whether leaving the screen ends the session. */
  readonly ownsSession: boolean;
  /** The address clients connect to, if known. */
  readonly listening: string | undefined;
}

/** From this width on, list and detail fit side by side. */
const WIDE = 100;

/** How long a session has to confirm that it is ending. */
const ENDING_MS = 3000;

/** The state of the screen: the open session, the focus and what the user is doing. */
export class ScreenModel {
  readonly deps: ScreenDeps;
  size: ScreenSize = { columns: 80, rows: 24 };
  session: SessionView | undefined;
  doing: ScreenActivity = { kind: 'browsing' };
  remark: ScreenNotice | undefined;
  /** In a narrow window: whether the detail covers the list. */
  isDetailOpen = false;
  /** The running sessions, and the index of the one highlighted. */
  running: readonly RunningSession[] = [];
  chosen = 0;
  /** The filter as the user typed it. */
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

  /** How far a page key moves: nearly the height of a panel. */
  get pageRows(): number {
    return Math.max(1, this.size.rows - 7);
  }

  get showsSessions(): boolean {
    return this.running.length > 1 || (this.session === undefined && this.running.length > 0);
  }

  /** The panel that has the focus. */
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

  /** Moves the focus to the next panel, in reading order. */
  focusNext(): void {
    const panels: ScreenPanel[] = [...(this.showsSessions ? (['sessions'] as const) : []), 'list', 'detail'];
    const next = panels[(panels.indexOf(this.focus) + 1) % panels.length] ?? 'list';
    this.focusOn(next);
  }

  focusOn(panel: ScreenPanel): void {
    this.#focus = panel;
    this.isDetailOpen = panel === 'detail';
  }

  /** Leaves the screen. If the screen owns the session, it first asks the session to end and stays open until then. */
  leave(): void {
    const { deps, session } = this;
    const steering = session?.feed?.steering;
    if (!deps.ownsSession || this.#isLeaving || steering === undefined || session?.ending !== undefined) {
      deps.leave();
      return;
    }
    this.#isLeaving = true;
    this.say('Ending the session…', 'dim');
    // Leaving ends the session too, in case it does not respond in time.
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

  complain(error: unknown): void {
    this.say(inOneLine(error), 'error');
  }

  /** Opens another session on the screen. */
  show(place: SessionPlace, open: (view: SessionView) => Promise<SessionFeed>): void {
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
    this.show({ place: session.trace, isOwn: isOwnFile(session.trace) }, (view) => this.deps.openLive(session, view));
  }

  /** Updates the running sessions. If there is only one and nothing is open, it is opened. */
  setRunning(running: readonly RunningSession[]): void {
    const hasChanged = running.map(({ id }) => id).join() !== this.running.map(({ id }) => id).join();
    this.running = running;
    this.chosen = Math.max(0, Math.min(this.chosen, running.length - 1));
    const [only] = running;
    if (this.session === undefined && running.length === 1 && only !== undefined) this.showLive(only);
    if (hasChanged) this.deps.onChange();
  }

  /** Decisions made on this screen are reported by the action itself. */
  #reportReleased({ id, action, by }: ReleasedMessage): void {
    const isBeingWritten = this.doing.kind === 'writing' && this.doing.heldId === id;
    if (isBeingWritten && by !== 'screen') {
      this.say(`The message was ${releaseWords(action, by)}. Press Esc to go back.`, 'waiting');
    }
  }
}
