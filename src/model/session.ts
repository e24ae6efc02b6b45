import type { Entry, JsonText, UnknownFields } from './entry.ts';

/** What is known of a session before its first entry. */
export interface SessionHeader {
  /** Names this session, and no other. */
  readonly id: string;
  /** In epoch milliseconds. */
  readonly startedAtMs: number;
  /** Short name for people. */
  readonly label: string;
  /** How mcpreel reaches the target: `stdio`, `sse` or `streamable-http`. */
  readonly transport: string;
  /** The target's program and arguments; empty where there is none. */
  readonly command: readonly string[];
  /** The target's address, for HTTP. */
  readonly url: string | undefined;
  /** The user's own notes: the text of an object. */
  readonly metadata: JsonText;
  readonly keepsakes?: UnknownFields | undefined;
}

/** What is known once a session is over. */
export interface SessionFooter {
  /** In epoch milliseconds. */
  readonly endedAtMs: number;
  /** The exit status of the target as a shell would tell it: its code, or 128 and the signal's number. */
  readonly exitCode: number | undefined;
  /** The signal that ended the target, like `SIGTERM`. */
  readonly signal?: string | undefined;
  /** Why it ended, where no process did. */
  readonly reason?: string | undefined;
  readonly durationMs: number | undefined;
  readonly keepsakes?: UnknownFields | undefined;
}

/** One capture, from start to end, wherever it is kept. */
export interface RecordedSession {
  /** The id of the format that it was read from. */
  readonly format: string;
  readonly header: SessionHeader;
  /** Absent while the session is live, and for one that was cut short. */
  readonly footer: SessionFooter | undefined;
  /** Whether the file does not tell who sent what, so that directions are inferred from the order of the messages. */
  readonly infersDirections?: boolean | undefined;
  /** Whether the file has no times at all, so that the messages are numbered instead. */
  readonly numbersTimes?: boolean | undefined;
  /** The entries in order, in batches of convenient size. Each call reads from the beginning. */
  batches(): AsyncIterable<readonly Entry[]>;
}

/** The entries of a session one by one. */
export async function* entriesOf(session: RecordedSession): AsyncGenerator<Entry> {
  for await (const batch of session.batches()) yield* batch;
}

/** The header of a session of which only the id is known. */
export function unnamedHeader(id: string): SessionHeader {
  return { id, startedAtMs: 0, label: 'session', transport: 'stdio', command: [], url: undefined, metadata: '{}' };
}

/** A session in which nothing was said. */
export function emptySession(format: string): RecordedSession {
  return { format, header: unnamedHeader(''), footer: undefined, async *batches() {} };
}
