import { extname } from 'node:path';
import type { Entry } from '../model/entry.ts';
import type { SessionFooter, SessionHeader } from '../model/session.ts';
import { SessionRecording, type SessionRecordingOptions } from './recording.ts';

export interface SplitRecordingOptions extends SessionRecordingOptions {
  readonly newId: () => string;
  /** How many conversations have an open trace file at a time. */
  readonly maxOpen?: number | undefined;
}

/** Each one needs a file descriptor, and most clients leave without ending their conversation. */
const MAX_OPEN = 100;

/** The trace of a conversation, with the times of its first and last entry. */
interface OpenConversation {
  readonly recording: SessionRecording;
  readonly startedAtMs: number;
  lastAtMs: number;
}

/**
 * Records each conversation as a separate session. The main trace contains conversation 0 and entries without a
 * conversation. It has the interface of `SessionRecording`.
 */
export class SplitRecording {
  readonly #options: SplitRecordingOptions;
  readonly #run: SessionRecording;
  /** The first part of the main trace, if it rotates. */
  readonly #runPath: string;
  /** Ordered by last activity, the longest idle first. */
  readonly #conversations = new Map<number, OpenConversation>();
  readonly #closing = new Set<Promise<void>>();
  #hasComplained = false;
  #closed = false;

  /** Throws only if `mustRecord` is set and recording is impossible. */
  constructor(options: SplitRecordingOptions) {
    this.#options = options;
    this.#run = new SessionRecording(options);
    this.#runPath = this.#run.path;
  }

  /** The file of the main trace being written. */
  get path(): string {
    return this.#run.path;
  }

  get place(): SessionRecording['place'] {
    return this.#run.place;
  }

  get nextSeq(): number {
    return this.#run.nextSeq;
  }

  get waitingBytes(): number {
    return this.#run.waitingBytes;
  }

  get isInPlace(): boolean {
    return this.#run.isInPlace;
  }

  get isRecording(): boolean {
    return this.#run.isRecording;
  }

  /** Entries after the end are ignored. */
  append(entries: readonly Entry[]): void {
    if (this.#closed) return;
    for (const [conversation, own] of byConversation(entries)) {
      if (conversation === 0) this.#run.append(own);
      else this.#appendTo(conversation, own);
    }
  }

  /** Resolves when all trace files are written. */
  async close(footer: SessionFooter): Promise<void> {
    this.#closed = true;
    for (const conversation of this.#conversations.values()) this.#end(conversation, footer);
    await Promise.all([this.#run.close(footer), ...this.#closing]);
  }

  /** Removes the announcements of the session and all its conversations. */
  withdraw(): void {
    for (const { recording } of this.#conversations.values()) recording.withdraw();
    this.#run.withdraw();
  }

  #appendTo(conversation: number, entries: readonly Entry[]): void {
    const atMs = entries[0]?.atMs ?? 0;
    const known = this.#conversations.get(conversation);
    const open = known ?? { recording: this.#begin(conversation, atMs), startedAtMs: atMs, lastAtMs: atMs };
    open.lastAtMs = entries.at(-1)?.atMs ?? atMs;
    this.#conversations.delete(conversation);
    this.#conversations.set(conversation, open);
    open.recording.append(entries);
    if (known === undefined) this.#endSilent();
  }

  #begin(conversation: number, startedAtMs: number): SessionRecording {
    const { header, traceFile, newId, mustRecord } = this.#options;
    return new SessionRecording({
      ...this.#options,
      header: headerOf(conversation, header, { id: newId(), startedAtMs }),
      traceFile: traceFile === undefined ? undefined : conversationPath(this.#runPath, conversation),
      // Must not throw in the middle of a session. `onFailure` reports a failure instead.
      mustRecord: false,
      // Control clients connect to the main session only.
      onLines: undefined,
      machine: undefined,
      note: (line) => {
        if (!mustRecord && !this.#hasComplained) this.#options.note(line);
        this.#hasComplained = true;
      },
    });
  }

  /** Over the limit, ends the trace of the longest idle conversation. If it continues, it gets another trace. */
  #endSilent(): void {
    const [oldest] = this.#conversations;
    if (oldest === undefined || this.#conversations.size <= (this.#options.maxOpen ?? MAX_OPEN)) return;
    const [number, conversation] = oldest;
    this.#conversations.delete(number);
    this.#end(conversation, { endedAtMs: conversation.lastAtMs, exitCode: 0, reason: 'silent', durationMs: 0 });
    conversation.recording.withdraw();
  }

  #end({ recording, startedAtMs }: OpenConversation, { endedAtMs, exitCode, signal, reason }: SessionFooter): void {
    const durationMs = Math.max(0, endedAtMs - startedAtMs);
    const closing = recording
      .close({ endedAtMs, exitCode, signal, reason, durationMs })
      .finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}

/** The path of a conversation's trace: that of the main trace, with `.conv-<n>` before the extension. */
function conversationPath(runPath: string, conversation: number): string {
  const extension = extname(runPath);
  return `${runPath.slice(0, runPath.length - extension.length)}.conv-${conversation}${extension}`;
}

/** Groups entries by conversation, in order, and removes the conversation numbers. */
function byConversation(entries: readonly Entry[]): ReadonlyMap<number, readonly Entry[]> {
  const groups = new Map<number, Entry[]>();
  for (const entry of entries) {
    const conversation = entry.kind === 'other' ? 0 : (entry.conversation ?? 0);
    const alone =
      entry.kind === 'other' || entry.conversation === undefined ? entry : { ...entry, conversation: undefined };
    const group = groups.get(conversation);
    if (group === undefined) groups.set(conversation, [alone]);
    else group.push(alone);
  }
  return groups;
}

/** The header of a conversation's session, which names the main session and the conversation's number. */
function headerOf(
  conversation: number,
  run: SessionHeader,
  own: Pick<SessionHeader, 'id' | 'startedAtMs'>,
): SessionHeader {
  const kept = JSON.parse(run.keepsakes?.trace ?? '{}') as object;
  const trace = JSON.stringify({ ...kept, run: run.id, conversation });
  return { ...run, ...own, label: `${run.label}-conv-${conversation}`, keepsakes: { ...run.keepsakes, trace } };
}
