import type { SessionHeader } from '../../model/session.ts';

/** The first line of a journal names its version. What follows is one line of JSON, then the records. */
const JOURNAL_MARK = 'mcpreel-journal';
const VERSION = 1;
const MARK_LINE = new RegExp(`^${JOURNAL_MARK}/(\\d+)\\n`);

/** The process that writes a journal. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, as the system counts. Ids of processes are used again. */
  readonly start?: string | undefined;
  /** Which start of the system it belongs to. */
  readonly boot?: string | undefined;
  /** The namespace that its id belongs to. */
  readonly namespace?: string | undefined;
}

/**
 * What a recoverer needs to continue a session. It contains secrets, so it must never be written to a disk: a journal
 * is only ever in memory.
 */
export interface JournalHead {
  readonly owner: ProcessIdentity;
  /** Of the mcpreel that wrote it. */
  readonly version: string;
  /** As it is recorded, so without secrets. */
  readonly header: SessionHeader;
  /** The path of the trace file, or of its first part. */
  readonly trace: string;
  readonly sessionFile?: string | undefined;
  readonly keepsTrace: boolean;
  readonly maxMessageBytes: number;
  readonly redaction: JournalRedaction;
}

/** The user's redaction options, and what the redactor of the session was made with. */
export interface JournalRedaction {
  readonly mode: string;
  readonly keys: readonly string[];
  readonly values: readonly string[];
  readonly paths: readonly string[];
  readonly salt: string;
  readonly exactValues: readonly string[];
}

export function journalHead(head: JournalHead): string {
  return `${JOURNAL_MARK}/${VERSION}\n${JSON.stringify(head)}\n`;
}

/** The head of a journal, and where its records begin; or why it cannot be read. */
export type ReadHead =
  | { readonly head: JournalHead; readonly bytes: number }
  | { readonly fault: 'unknown version' | 'cut off' };

/** Reads the head at the beginning of a journal. */
export function readJournalHead(beginning: Uint8Array): ReadHead {
  const text = new TextDecoder().decode(beginning);
  const mark = MARK_LINE.exec(text);
  if (mark === null) return { fault: text.length <= JOURNAL_MARK.length + 4 ? 'cut off' : 'unknown version' };
  if (Number(mark[1]) !== VERSION) return { fault: 'unknown version' };
  const start = mark[0].length;
  const end = text.indexOf('\n', start);
  if (end < 0) return { fault: 'cut off' };
  try {
    const head = JSON.parse(text.slice(start, end)) as JournalHead;
    return { head, bytes: new TextEncoder().encode(text.slice(0, end + 1)).length };
  } catch {
    return { fault: 'cut off' };
  }
}
