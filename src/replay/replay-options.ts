import type { Profile } from '../analysis/import/profile.ts';
import type { Entry } from '../model/entry.ts';
import type { ClientStep } from '../recorded/recorded-dialogue.ts';
import type { TargetChoice } from '../transport/outbound/connect-target.ts';
import type { TargetProcess } from '../transport/process/target-process.ts';
import type { ReplayResult } from './judge/replay-result.ts';
import type { ReplyPolicy } from './reply-policy.ts';

/** The server that a recording is replayed to. */
export type ReplayTarget = TargetChoice;

/** How to replay and compare a recording. */
export interface ReplayOptions {
  readonly target: ReplayTarget;
  readonly profile: Profile;
  /** Paths that are not compared, such as `$.result.total` or `tool:search $.result.total`. */
  readonly ignore: readonly string[];
  /** How long to wait for a response. */
  readonly timeoutMs: number;
  /** Whether to perform a handshake first, recorded or generated. */
  readonly handshake: boolean;
  /** 0: as fast as the target responds, 1: with the recorded pauses, 2: with half of them. */
  readonly speed: number;
  readonly onServerRequest: ReplyPolicy;
  /** Whether to send messages with redacted values. */
  readonly allowRedacted: boolean;
  /** Whether to skip calls of tools that are not marked as read-only. */
  readonly readOnly: boolean;
  /** Which client messages to replay; all if absent. */
  readonly selects?: ((step: ClientStep) => boolean) | undefined;
}

/** The dependencies and callbacks of a replay. */
export interface ReplayDeps {
  readonly nowMs: () => number;
  readonly newId: () => string;
  /** Starts the server if the target is a command. */
  readonly startTarget: () => Promise<TargetProcess>;
  /** The variables that the server inherits. Those whose names say secret are not recorded. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Prints one line for the user. */
  readonly note: (line: string) => void;
  /** Called for every client message as soon as its outcome is known. */
  readonly onResult: (result: ReplayResult) => void;
  /** A line that the server wrote outside the protocol. */
  readonly onLine?: ((text: string) => void) | undefined;
  /** Called with the entries of all traffic as it happens. */
  readonly onEntries?: ((entries: readonly Entry[]) => void) | undefined;
  /** Aborts the replay. */
  readonly signal?: AbortSignal | undefined;
}
