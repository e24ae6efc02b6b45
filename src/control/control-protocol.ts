import type { HeldMessage, InterceptMode } from '../intercept/held-message.ts';
import type {
  HoldState,
  Injection,
  LiveSessionFacts,
  ReleaseReport,
  RequestedDecision,
} from '../intercept/session-control.ts';

/** Messages on the control socket of a session: JSON Lines in both directions, described in docs/control-socket.md. */

export const LIVE_VERSION = 1;

/** A longer first line is rejected: its sender does not speak this protocol. */
export const MAX_FIRST_LINE_BYTES: number = 1 << 12;

/** Large, because an edited message may be as large as any other. */
export const MAX_REQUEST_BYTES: number = 1 << 26;

/** Longer than anything a session sends before it disconnects a slow client. */
export const MAX_REPLY_BYTES: number = 1 << 29;

/** A request of a control client. Each line also has a `ref`, which the reply repeats. */
export type LiveRequest =
  | { readonly type: 'follow'; readonly from?: number | undefined }
  | { readonly type: 'control' }
  | { readonly type: 'mode'; readonly mode: InterceptMode; readonly filter?: string | undefined }
  | { readonly type: 'held' }
  | ({ readonly type: 'decide'; readonly id: string } & RequestedDecision)
  | ({ readonly type: 'inject' } & Injection)
  | { readonly type: 'save'; readonly path?: string | undefined }
  | { readonly type: 'end' };

/** Chosen by the client to match the reply to its request. */
export type RequestRef = string | number;

/** The request succeeded. */
export interface DoneReply {
  readonly type: 'done';
  readonly ref: RequestRef;
  readonly hints: readonly string[];
  readonly held?: readonly HeldMessage[] | undefined;
  readonly path?: string | undefined;
}

/** The request failed. Without a `ref`, the session refuses the connection. */
export interface RefusedReply {
  readonly type: 'refused';
  readonly ref?: RequestRef | undefined;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** The first reply of a session, after the client has authenticated. */
export interface HelloReply {
  readonly type: 'hello';
  readonly v: number;
  readonly facts: LiveSessionFacts;
  readonly state: HoldState;
  readonly nextSeq: number;
}

/** Events that a session sends without a request. */
export type LiveEvent =
  | { readonly type: 'lines'; readonly firstSeq: number; readonly lines: readonly string[] }
  /** Lines from `from` up to but not including `to` were not sent; read them from the trace file. */
  | { readonly type: 'missed'; readonly from: number; readonly to: number }
  | { readonly type: 'held'; readonly held: HeldMessage }
  | { readonly type: 'released'; readonly release: ReleaseReport }
  | { readonly type: 'state'; readonly state: HoldState }
  | { readonly type: 'end' };

export type LiveReply = HelloReply | DoneReply | RefusedReply | LiveEvent;

/** Serializes one line of either side. Members that are `undefined` are left out. */
export function lineOf(value: LiveReply | (LiveRequest & { readonly ref: RequestRef }) | FirstLine): string {
  return `${JSON.stringify(value)}\n`;
}

/** The first line that a client sends. */
export interface FirstLine {
  readonly v: number;
  readonly token: string;
}

/** Parses a line that must be a JSON object; `undefined` if it is not one. */
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
