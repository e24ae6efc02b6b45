import type { Profile } from '../analysis/import/profile.ts';
import type { BridgeCaptureOptions } from '../capture/capture-options.ts';
import type { Entry } from '../model/entry.ts';
import type { ClientStep } from '../recorded/recorded-dialogue.ts';
import type { TargetProcess } from '../transport/process/target-process.ts';
import type { ReplayResult } from './judge/replay-result.ts';
import type { ReplyPolicy } from './reply-policy.ts';

/** The server that a recording is replayed to. */
export type ReplayTarget = BridgeCaptureOptions['target'];

/** How a recording is replayed and compared. */
export interface ReplayOptions {
  readonly target: ReplayTarget;
  readonly profile: Profile;
  /** Places that are not compared, like `$.result.total` and `tool:search $.result.total`. */
  readonly ignore: readonly string[];
  /** How long an answer may take. */
  readonly timeoutMs: number;
  /** Whether a handshake precedes the rest, as recorded or made up. */
  readonly handshake: boolean;
  /** 0 for as fast as the target answers, 1 for the pauses of the recording, 2 for half of them. */
  readonly speed: number;
  readonly onServerRequest: ReplyPolicy;
  /** Whether messages are sent of which a part was redacted. */
  readonly allowRedacted: boolean;
  /** Whether calls of tools are left out that are not marked as read-only. */
  readonly readOnly: boolean;
  /** Which messages of the client are replayed; all if absent. */
  readonly selects?: ((step: ClientStep) => boolean) | undefined;
}

/** What a replay needs of the world around it, and whom it tells. */
export interface ReplayDeps {
  readonly nowMs: () => number;
  readonly newId: () => string;
  /** Starts the server, if it is a program. */
  readonly startTarget: () => Promise<TargetProcess>;
  /** One line for the person who runs this. */
  readonly note: (line: string) => void;
  /** Told of every message of the client as soon as it is known what came of it. */
  readonly onResult: (result: ReplayResult) => void;
  /** A line that the server wrote beside the protocol. */
  readonly onLine?: ((text: string) => void) | undefined;
  /** Told of all that is said, as it is said. */
  readonly onEntries?: ((entries: readonly Entry[]) => void) | undefined;
  /** Ends the replay where it is. */
  readonly signal?: AbortSignal | undefined;
}
