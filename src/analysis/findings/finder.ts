import type { Entry, EventEntry } from '../../model/entry.ts';
import type { Call, OrphanAnswer } from '../calls/call.ts';
import type { ToolDefinitions } from '../contract/tool-listing.ts';
import type { ConversationFacts, EndedExchange } from './facts.ts';
import type { EventPlace, FindingCode } from './finding.ts';
import type { FindingMessage } from './seen-message.ts';

/** The interface between finders and the session that they observe. */

/** A detected secret: its kind and place, never its value. */
export interface DetectedSecret {
  readonly kind: string;
  /** The part of the entry and the path in it, such as `text $.params.arguments.key`. */
  readonly place: string;
}

/** The end of a server's process. */
export interface ServerExit {
  readonly code: number;
  readonly signal: string | undefined;
  readonly atMs: number;
}

/** Options for all finders of a session. */
export interface FindingOptions {
  /** Whether the session has ended. In a live or truncated session, an open call may still be answered. */
  readonly ended: boolean;
  /** How the server's process ended, if that is known. */
  readonly exit?: ServerExit | undefined;
  /** Finds the secrets of one entry; without it, secrets are not checked. */
  readonly detectSecrets?: ((entry: Entry) => readonly DetectedSecret[]) | undefined;
  /** The secrets in the header and the end of the session. */
  readonly edgeSecrets?: readonly DetectedSecret[] | undefined;
  /** Redacts secrets in a sentence, which may quote the traffic. */
  readonly cleanText?: ((text: string) => string) | undefined;
  /** The tools that the user accepted. */
  readonly baseline?: ToolDefinitions | undefined;
}

/** The evidence for a finding: message sequences, or an event. */
export type Evidence = readonly number[] | EventPlace;

export type ReportFinding = (code: FindingCode, message: string, evidence: Evidence) => void;

/**
 * Observes one session as it is read, with the state of the conversation before each entry. Its memory must be bounded,
 * because a session may be larger than memory.
 */
export interface FindingWatch {
  /** Called for every entry, also for those that are no traffic or that mcpreel injected. */
  entry?(entry: Entry, evidence: Evidence): void;
  message?(message: FindingMessage): void;
  event?(event: EventEntry, place: EventPlace): void;
  /** Called when an HTTP exchange with a client has ended. */
  exchange?(exchange: EndedExchange): void;
  call?(call: Call, conversation: ConversationFacts): void;
  orphan?(orphan: OrphanAnswer): void;
  end?(): void;
}

/** Finds one kind of problem, or several related ones. It does not receive messages that mcpreel injected. */
export interface Finder {
  readonly codes: readonly FindingCode[];
  watch(report: ReportFinding, options: FindingOptions): FindingWatch;
}
