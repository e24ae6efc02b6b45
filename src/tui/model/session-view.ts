import { loadFilter } from '../../analysis/filter/filter.ts';
import { GrowingSpool } from '../../files/growing-spool.ts';
import type { Source } from '../../formats/format.ts';
import { traceTexts } from '../../formats/trace/entry-block.ts';
import type { HoldState } from '../../intercept/session-control.ts';
import type { Entry } from '../../model/entry.ts';
import type { SessionHeader } from '../../model/session.ts';
import type { PlacedLines } from '../../present/session-log/entry-blocks.ts';
import { SessionLog } from '../../present/session-log/session-log.ts';
import { ShownEntries } from '../../present/session-log/shown-entries.ts';
import type { FeedEnding, FeedListener, ReleasedMessage, SessionFeed } from '../feed/session-feed.ts';
import { type HeldFacts, HeldMessages } from '../session/held-messages.ts';
import { OpenHolds } from '../session/open-holds.ts';
import { DetailPane } from './detail-pane.ts';
import { MessageList } from './message-list.ts';

/** The dependencies of a session view. */
export interface ViewDeps {
  readonly nowMs: () => number;
  /** Called when something has changed. */
  readonly onChange: () => void;
  /** Called when a held message has been released. */
  readonly onReleased: (release: ReleasedMessage) => void;
}

/** Where a session was found. */
export type SessionPlace = Pick<SessionView, 'place' | 'isOwn'>;

/** How long entries are filtered before pending keys get a turn. */
const SLICE_MS = 8;

/** One session on the screen: its entries, its held messages, and the user's position. */
export class SessionView implements FeedListener {
  readonly log: SessionLog = new SessionLog();
  readonly shown: ShownEntries = new ShownEntries(this.log);
  readonly held: HeldMessages = new HeldMessages();
  readonly list: MessageList = new MessageList(this.log, this.shown, this.held);
  readonly detail: DetailPane = new DetailPane();
  /** The path of its file. */
  readonly place: string;
  /** Whether mcpreel recorded the session here. */
  readonly isOwn: boolean;
  readonly #deps: ViewDeps;
  feed: SessionFeed | undefined;
  #header: SessionHeader | undefined;
  #state: HoldState | undefined;
  #ending: FeedEnding | undefined;
  readonly #holds = new OpenHolds();
  /** The texts of a running session, and of a recording that is not a trace. */
  readonly #spool = new GrowingSpool();
  #isWorking = false;
  #filterChoice = 0;

  constructor({ place, isOwn }: SessionPlace, deps: ViewDeps) {
    this.place = place;
    this.isOwn = isOwn;
    this.#deps = deps;
  }

  get header(): SessionHeader | undefined {
    return this.#header;
  }

  /** The session's interception state, if it is running. */
  get state(): HoldState | undefined {
    return this.#state;
  }

  get ending(): FeedEnding | undefined {
    return this.#ending;
  }

  onHeader(header: SessionHeader, source?: Pick<Source, 'readNow'>): void {
    this.#header = header;
    this.log.texts = traceTexts(header, source, this.#spool);
    this.log.label = header.label;
    this.#deps.onChange();
  }

  onEntries(entries: readonly Entry[], places?: PlacedLines): void {
    this.#holds.take(entries);
    const growth = this.log.add(entries, places);
    this.shown.lookAgain(growth);
    this.#work();
    this.#deps.onChange();
  }

  onHeld(held: HeldFacts): void {
    this.held.add(held);
    this.#deps.onChange();
  }

  onReleased(release: ReleasedMessage): void {
    this.held.remove(release.id);
    this.#deps.onReleased(release);
    this.#deps.onChange();
  }

  onState(state: HoldState): void {
    this.#state = state;
    this.#deps.onChange();
  }

  onEnding(ending: FeedEnding): void {
    this.#ending = ending;
    this.held.end(this.#holds.facts);
    this.#deps.onChange();
  }

  /** Shows only matching entries, or all for an empty text. Rejects if the filter is invalid. */
  async setFilter(text: string): Promise<void> {
    const choice = ++this.#filterChoice;
    const filter = text.trim() === '' ? undefined : await loadFilter(text);
    // The user may have set another filter in the meantime.
    if (choice !== this.#filterChoice) return;
    this.shown.setFilter(filter);
    this.#work();
    this.#deps.onChange();
  }

  close(): void {
    this.feed?.close();
    this.#spool.close();
  }

  #work(): void {
    if (this.#isWorking) return;
    const until = this.#deps.nowMs() + SLICE_MS;
    if (this.shown.work(() => this.#deps.nowMs() < until)) return;
    this.#isWorking = true;
    setImmediate(() => {
      this.#isWorking = false;
      this.#work();
      this.#deps.onChange();
    });
  }
}
