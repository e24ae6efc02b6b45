import type { Direction } from '../../src/model/entry.ts';
import type { ReleaseAction, ReleaseReason } from '../../src/present/release-words.ts';

/** What the program that serves the page tells of sessions, mostly as they tell it themselves: see docs/live.md. */

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
  /** The exact text that was seen, secrets included. */
  readonly text: string;
  /** What rules have made of it, and what goes on if it is forwarded. */
  readonly changedText?: string | undefined;
  readonly atMs: number;
  readonly untilMs: number;
  readonly conversation: number;
  readonly rule?: string | undefined;
}

/** What became of it. */
export interface ServedRelease {
  readonly id: string;
  readonly decision: { readonly action: ReleaseAction };
  readonly by: ReleaseReason;
  readonly heldMs: number;
}

/** What somebody wants done with a held message. */
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
  /** What time it is for who serves the page. */
  readonly nowMs: number;
}

/** What is told of one session. */
export type SessionEvent = { readonly session: string } & (
  | ServedBeginning
  | { readonly type: 'lines'; readonly lines: readonly string[]; readonly next: number }
  | { readonly type: 'held'; readonly held: ServedHeldMessage }
  | { readonly type: 'released'; readonly release: ServedRelease }
  | { readonly type: 'state'; readonly state: ServedHoldState }
  | { readonly type: 'end'; readonly line?: string | undefined }
  | { readonly type: 'lost'; readonly why: string }
);
