import type { Entry, JsonText, UnknownFields } from './entry.ts';

/**
 * The data about a session that is known before its first entry.
 *
 * @example
 * ```ts
 * import { readSession, type SessionHeader } from 'mcpreel';
 *
 * const { label, transport, startedAtMs }: SessionHeader = (await readSession('session.json')).header;
 * console.log(label, transport, new Date(startedAtMs));
 * ```
 */
export interface SessionHeader {
  /** Globally unique. */
  readonly id: string;
  /** In epoch milliseconds. */
  readonly startedAtMs: number;
  /** A short display name. */
  readonly label: string;
  /** How mcpreel reaches the target: `stdio`, `sse` or `streamable-http`. */
  readonly transport: string;
  /** The target's program and arguments; empty if the target is not a process. */
  readonly command: readonly string[];
  /** The target's URL, for HTTP. */
  readonly url: string | undefined;
  /** The user's own notes, as the text of an object. */
  readonly metadata: JsonText;
  readonly keepsakes?: UnknownFields | undefined;
}

/**
 * The data about a session that is known once it has ended.
 *
 * @example
 * ```ts
 * import { readSession, type SessionFooter } from 'mcpreel';
 *
 * const hasFailed = (footer: SessionFooter | undefined) => footer?.exitCode !== undefined && footer.exitCode !== 0;
 *
 * const { footer } = await readSession('session.json');
 * console.log(hasFailed(footer));
 * ```
 */
export interface SessionFooter {
  /** In epoch milliseconds. */
  readonly endedAtMs: number;
  /** The target's exit status as a shell reports it: its code, or 128 plus the signal number. */
  readonly exitCode: number | undefined;
  /** The signal that ended the target, such as `SIGTERM`. */
  readonly signal?: string | undefined;
  /** Why the session ended, if it did not end with a process. */
  readonly reason?: string | undefined;
  readonly durationMs: number | undefined;
  readonly keepsakes?: UnknownFields | undefined;
}

/**
 * One recorded session, independent of its file format.
 *
 * @example
 * ```ts
 * import { type RecordedSession, readSession } from 'mcpreel';
 *
 * const session: RecordedSession = await readSession('session.json');
 * console.log(session.format, session.header.id, session.footer?.exitCode);
 * ```
 */
export interface RecordedSession {
  /** The id of the format that the session was read from. */
  readonly format: string;
  readonly header: SessionHeader;
  /** Absent while the session is live, and if its recording was cut short. */
  readonly footer: SessionFooter | undefined;
  /** Whether the file does not record senders, so that directions are inferred from the order of the messages. */
  readonly infersDirections?: boolean | undefined;
  /** Whether the file has no times, so that the messages are numbered instead. */
  readonly numbersTimes?: boolean | undefined;
  /** Whether the order of the file is that of the messages, whatever their times. */
  readonly hasOrder?: boolean | undefined;
  /** What the `sourceLine` of a message counts. Default: lines. */
  readonly sourceUnit?: 'entry' | 'element' | 'message' | undefined;
  /** Whether a call is selected, by the sequence of its request, if a table of calls shows only some. */
  wantsCall?(sequence: number): boolean;
  /** Yields the entries in order, in batches of convenient size. Each call reads from the beginning. */
  batches(): AsyncIterable<readonly Entry[]>;
}

/**
 * Iterates over the entries of a session, one by one.
 *
 * @example
 * ```ts
 * import { entriesOf, readSession } from 'mcpreel';
 *
 * const session = await readSession('session.json');
 * for await (const entry of entriesOf(session)) {
 *   if (entry.kind === 'message') console.log(entry.sequence, entry.text);
 * }
 * ```
 */
export async function* entriesOf(session: RecordedSession): AsyncGenerator<Entry> {
  for await (const batch of session.batches()) yield* batch;
}

/** The header of a session of which only the id is known. */
export function unnamedHeader(id: string): SessionHeader {
  return { id, startedAtMs: 0, label: 'session', transport: 'stdio', command: [], url: undefined, metadata: '{}' };
}

/** A session without entries. */
export function emptySession(format: string): RecordedSession {
  return { format, header: unnamedHeader(''), footer: undefined, async *batches() {} };
}
