import type { OpenTrace } from '../../control/trace-lines.ts';
import type { Source } from '../../formats/format.ts';
import type { HoldState } from '../../intercept/session-control.ts';
import type { Entry } from '../../model/entry.ts';
import type { SessionHeader } from '../../model/session.ts';
import type { ReleaseAction, ReleaseReason } from '../../present/release-words.ts';
import type { PlacedLines } from '../../present/session-log/entry-blocks.ts';
import type { HeldFacts } from '../session/held-messages.ts';

/**
 * How a source of entries ended: `read` (a file was read), `ended` (the session ended), `silent` (a conversation ended
 * after a long silence; its session may continue), or `lost`.
 */
export type FeedEnding = { readonly how: 'read' | 'ended' | 'silent' | 'lost'; readonly why?: string | undefined };

/** The dependencies of a feed. */
export interface FeedDeps {
  readonly openTrace: OpenTrace;
  readonly nowMs: () => number;
}

/** How a held message was released, and why. */
export interface ReleasedMessage {
  readonly id: string;
  readonly action: ReleaseAction;
  readonly by: ReleaseReason;
}

/** Receives the events of a feed. */
export interface FeedListener {
  /** The source is the file whose lines the entries are, if they are lines of a file. */
  onHeader(header: SessionHeader, source?: Pick<Source, 'readNow'>): void;
  onEntries(entries: readonly Entry[], places?: PlacedLines): void;
  onHeld(held: HeldFacts): void;
  onReleased(release: ReleasedMessage): void;
  onState(state: HoldState): void;
  onEnding(ending: FeedEnding): void;
}

/** The decision for a held message. */
export type RequestedSteering =
  | { readonly action: 'forward' }
  | { readonly action: 'drop' }
  | { readonly action: 'edit'; readonly text: string; readonly confirmed: boolean }
  | { readonly action: 'answer'; readonly result: string }
  | { readonly action: 'answer'; readonly error: string };

/** The commands for a running session. Each rejects with the session's error. */
export interface SessionSteering {
  setMode(mode: HoldState['mode'], filter: string | undefined): Promise<void>;
  /** Resolves with hints about possible mistakes in the decision. */
  decide(id: string, requested: RequestedSteering): Promise<readonly string[]>;
  /** Resolves with the path of the saved file. */
  save(): Promise<string>;
  /** Asks the session to end; resolves when the session has received the request. */
  end(): Promise<void>;
}

/** A source of entries. */
export interface SessionFeed {
  /** Absent for a recorded session. */
  readonly steering?: SessionSteering | undefined;
  /** The working folder of the session, if known. */
  readonly folder?: string | undefined;
  /** Whether there are entries that have not been read yet. */
  readonly isBehind?: boolean | undefined;
  close(): void;
}
