import type { Direction } from '../../src/model/entry.ts';
import type { ReleaseAction, ReleaseReason } from '../../src/present/release-words.ts';

/**
 * The events that the program serving the page sends about sessions, mostly in the sessions' own format: see
 * docs/control-socket.md.
 */

export type ServedMode = 'passthrough' | 'intercept';

export interface ServedHoldState {
  readonly mode: ServedMode;
  readonly filter?: string | undefined;
  readonly holdTimeoutMs: number;
  readonly failClosed: boolean;
}

/** A message that waits for a decision. */
export interface ServedHeldMessage {
  readonly id: string;
  readonly direction: Direction;
  /** The exact received text, including secrets. */
  readonly text: string;
  /** The text after rules were applied, which is forwarded by default. */
  readonly changedText?: string | undefined;
  readonly atMs: number;
  readonly untilMs: number;
  readonly conversation: number;
  readonly rule?: string | undefined;
}

/** The outcome of a held message. */
export interface ServedRelease {
  readonly id: string;
  readonly decision: { readonly action: ReleaseAction };
  readonly by: ReleaseReason;
  readonly heldMs: number;
}

/** A decision about a held message. */
export type ServedDecision =
  | { readonly action: 'forward' }
  | { readonly action: 'drop' }
  | { readonly action: 'edit'; readonly text: string; readonly confirmed?: boolean }
  | { readonly action: 'answer'; readonly result: string }
  | { readonly action: 'answer'; readonly error: string };

interface ServedBeginning {
  readonly type: 'begin';
  readonly label: string;
  readonly startedAtMs: number;
  readonly pid: number;
  readonly transport: string;
  readonly header?: string | undefined;
  readonly state: ServedHoldState;
  readonly held: readonly ServedHeldMessage[];
  /** The current time of the program that serves the page. */
  readonly nowMs: number;
}

/** An event about one session. */
export type SessionEvent = { readonly session: string } & (
  | ServedBeginning
  | { readonly type: 'lines'; readonly lines: readonly string[]; readonly next: number }
  | { readonly type: 'held'; readonly held: ServedHeldMessage }
  | { readonly type: 'released'; readonly release: ServedRelease }
  | { readonly type: 'state'; readonly state: ServedHoldState }
  | { readonly type: 'end'; readonly line?: string | undefined }
  | { readonly type: 'lost'; readonly why: string }
);
