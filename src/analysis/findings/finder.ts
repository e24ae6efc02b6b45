import type { EventEntry } from '../../model/entry.ts';
import type { Call, OrphanAnswer } from '../calls/call.ts';
import type { ToolDefinitions } from '../contract/tool-listing.ts';
import type { ConversationFacts, EndedExchange } from './facts.ts';
import type { EventPlace, FindingCode } from './finding.ts';
import type { FindingMessage } from './seen-message.ts';

/** A secret that was detected: what it is and where it stands, never its value. */
export interface DetectedSecret {
  readonly kind: string;
  /** The part of the entry and the place in it: `text $.params.arguments.key`. */
  readonly place: string;
}

/** What finders are told before the first entry. */
export interface FindingOptions {
  /** Whether the session came to its end. In one that still runs, or was cut short, an open call may yet be answered. */
  readonly ended: boolean;
  /** Finds the secrets of one entry; without it nobody looks for any. */
  readonly detectSecrets?: ((entry: FindingMessage['entry'] | EventEntry) => readonly DetectedSecret[]) | undefined;
  /** Takes secrets out of a sentence, which may quote the traffic. */
  readonly cleanText?: ((text: string) => string) | undefined;
  /** The tools that somebody accepted. */
  readonly baseline?: ToolDefinitions | undefined;
}

/** What shows a finding: messages by their sequences, or an event. */
export type Evidence = readonly number[] | EventPlace;

export type ReportFinding = (code: FindingCode, message: string, evidence: Evidence) => void;

/**
 * Looks at one session as it passes by, with what was known of the conversation before. Whatever it remembers is
 * bounded: a session may be longer than memory.
 */
export interface FindingWatch {
  message?(message: FindingMessage): void;
  event?(event: EventEntry, place: EventPlace): void;
  /** An HTTP exchange with a client is over. */
  exchange?(exchange: EndedExchange): void;
  call?(call: Call, conversation: ConversationFacts): void;
  orphan?(orphan: OrphanAnswer): void;
  end?(): void;
}

/** Finds one kind of thing, or a family of them. Messages that mcpreel itself said are not shown to it. */
export interface Finder {
  readonly codes: readonly FindingCode[];
  watch(report: ReportFinding, options: FindingOptions): FindingWatch;
}
