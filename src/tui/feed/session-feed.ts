import type { HoldState } from '../../control/session-control.ts';
import type { OpenTrace } from '../../control/trace-lines.ts';
import type { Entry } from '../../model/entry.ts';
import type { SessionHeader } from '../../model/session.ts';
import type { ReleaseAction, ReleaseReason } from '../../present/release-words.ts';
import type { HeldFacts } from '../session/held-messages.ts';

/**
 * How a source of entries has come to its end: a file was read, the session is over, or it was lost. A conversation that
 * was silent for long may be over while the session that it is a part of goes on.
 */
export type FeedEnding = { readonly how: 'read' | 'ended' | 'silent' | 'lost'; readonly why?: string | undefined };

/** What following a session needs of the world around it. */
export interface FeedDeps {
  readonly openTrace: OpenTrace;
  readonly nowMs: () => number;
}

/** What became of a held message, and why. */
export interface ReleasedMessage {
  readonly id: string;
  readonly action: ReleaseAction;
  readonly by: ReleaseReason;
}

/** What a source of entries tells. */
export interface FeedListener {
  onHeader(header: SessionHeader): void;
  onEntries(entries: readonly Entry[]): void;
  onHeld(held: HeldFacts): void;
  onReleased(release: ReleasedMessage): void;
  onState(state: HoldState): void;
  onEnding(ending: FeedEnding): void;
}

/** What was decided for a held message. */
export type RequestedSteering =
  | { readonly action: 'forward' }
  | { readonly action: 'drop' }
  | { readonly action: 'edit'; readonly text: string; readonly confirmed: boolean }
  | { readonly action: 'answer'; readonly result: string }
  | { readonly action: 'answer'; readonly error: string };

/** What can be asked of a running session. Each rejects with what the session has against it. */
export interface SessionSteering {
  setMode(mode: HoldState['mode'], filter: string | undefined): Promise<void>;
  /** Resolves with what may not have been meant. */
  decide(id: string, requested: RequestedSteering): Promise<readonly string[]>;
  /** Resolves with where it is. */
  save(): Promise<string>;
  /** Has it end; resolves when it has heard that. */
  end(): Promise<void>;
}

/** Where entries come from. */
export interface SessionFeed {
  /** Absent for what was recorded before. */
  readonly steering?: SessionSteering | undefined;
  /** The folder that the session runs in, where that is known. */
  readonly folder?: string | undefined;
  /** Whether more has come than was read so far. */
  readonly isBehind?: boolean | undefined;
  close(): void;
}
