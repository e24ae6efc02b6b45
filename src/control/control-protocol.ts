import type { HeldMessage, InterceptMode, ReleaseCause } from '../intercept/held-message.ts';
import type { HoldState, Injection, LiveSessionFacts, RequestedDecision } from './session-control.ts';

/** What is said on the control socket of a session: JSON Lines in both directions, described in docs/live.md. */

export const LIVE_VERSION = 1;

/** Longer first lines are not read: whoever sends one does not speak this protocol. */
export const MAX_FIRST_LINE_BYTES: number = 1 << 12;

/** An edited message may be as large as any other. */
export const MAX_REQUEST_BYTES: number = 1 << 26;

/** Longer than anything that a session sends before it gives a screen up. */
export const MAX_REPLY_BYTES: number = 1 << 29;

/** What a screen asks for. Each line has a `ref` besides, which the reply repeats. */
export type LiveRequest =
  | { readonly type: 'follow'; readonly from?: number | undefined }
  | { readonly type: 'control' }
  | { readonly type: 'mode'; readonly mode: InterceptMode; readonly filter?: string | undefined }
  | { readonly type: 'held' }
  | ({ readonly type: 'decide'; readonly id: string } & RequestedDecision)
  | ({ readonly type: 'inject' } & Injection)
  | { readonly type: 'save'; readonly path?: string | undefined }
  | { readonly type: 'end' };

/** What a screen chooses in order to recognise the reply. */
export type RequestRef = string | number;

/** That a request was done, and what came of it. */
export interface DoneReply {
  readonly type: 'done';
  readonly ref: RequestRef;
  readonly hints: readonly string[];
  readonly held?: readonly HeldMessage[] | undefined;
  readonly path?: string | undefined;
}

/** That a request was not done. Without a `ref` it is the connection that is refused. */
export interface RefusedReply {
  readonly type: 'refused';
  readonly ref?: RequestRef | undefined;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** What a session says to a screen that it has let in. */
export interface HelloReply {
  readonly type: 'hello';
  readonly v: number;
  readonly facts: LiveSessionFacts;
  readonly state: HoldState;
  readonly nextSeq: number;
}

/** What a session tells by itself. */
export type LiveEvent =
  | { readonly type: 'lines'; readonly firstSeq: number; readonly lines: readonly string[] }
  /** Lines up to but not including `to` were not sent; they are in the trace. */
  | { readonly type: 'missed'; readonly from: number; readonly to: number }
  | { readonly type: 'held'; readonly held: HeldMessage }
  | { readonly type: 'released'; readonly release: ReleaseCause }
  | { readonly type: 'state'; readonly state: HoldState }
  | { readonly type: 'end' };

export type LiveReply = HelloReply | DoneReply | RefusedReply | LiveEvent;

/** One line of either side. What is `undefined` is left out. */
export function lineOf(value: LiveReply | (LiveRequest & { readonly ref: RequestRef }) | FirstLine): string {
  return `${JSON.stringify(value)}\n`;
}

/** The first line of a screen. */
export interface FirstLine {
  readonly v: number;
  readonly token: string;
}

/** The object that a line is, or `undefined` where it is none. */
export function objectIn(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}
