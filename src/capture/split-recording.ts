import { extname } from 'node:path';
import type { Entry } from '../model/entry.ts';
import type { SessionFooter, SessionHeader } from '../model/session.ts';
import { ProbeWatch } from './probe-watch.ts';
import { SessionRecording, type SessionRecordingOptions } from './recording.ts';

export interface SplitRecordingOptions extends SessionRecordingOptions {
  readonly newId: () => string;
  /** How many conversations have an open trace at a time. */
  readonly maxOpen?: number | undefined;
}

/** Each takes a descriptor, and most clients leave without a word. */
const MAX_OPEN = 100;

/** The trace of a conversation, and when its first and its last entry were seen. */
interface OpenConversation {
  readonly recording: SessionRecording;
  readonly startedAtMs: number;
  lastAtMs: number;
}

/**
 * Records each conversation of a run as a session of its own. The trace of the run itself has what is of conversation 0
 * and what belongs to none. It can stand in the place of a `Recording`.
 */
export class SplitRecording {
  readonly #options: SplitRecordingOptions;
  readonly #run: SessionRecording;
  /** The first part of the run's trace, where it rotates. */
  readonly #runPath: string;
  /** Those that have been silent longest come first. */
  readonly #conversations = new Map<number, OpenConversation>();
  readonly #closing = new Set<Promise<void>>();
  readonly #probe = new ProbeWatch();
  #hasComplained = false;
  #closed = false;

  /** Throws only where nothing may go unrecorded and nothing can be recorded. */
  constructor(options: SplitRecordingOptions) {
    this.#options = options;
    this.#run = new SessionRecording(options);
    this.#runPath = this.#run.path;
  }

  /** The file of the run itself that is being written. */
  get path(): string {
    return this.#run.path;
  }

  get place(): SessionRecording['place'] {
    return this.#run.place;
  }

  get nextSeq(): number {
    return this.#run.nextSeq;
  }

  get isRecording(): boolean {
    return this.#run.isRecording;
  }

  get hasTalked(): boolean {
    return this.#probe.hasTalked;
  }

  get isProbeOnly(): boolean {
    return this.#probe.isProbeOnly;
  }

  /** Entries that come after the end are not part of the session. */
  append(entries: readonly Entry[]): void {
    if (this.#closed) return;
    this.#probe.see(entries);
    for (const [conversation, own] of byConversation(entries)) {
      if (conversation === 0) this.#run.append(own);
      else this.#appendTo(conversation, own);
    }
  }

  /** Resolves when all traces are written. */
  async close(footer: SessionFooter): Promise<void> {
    this.#closed = true;
    for (const conversation of this.#conversations.values()) this.#end(conversation, footer);
    await Promise.all([this.#run.close(footer), ...this.#closing]);
  }

  /** Tells others that the session is over, and with it all conversations. */
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
      // In the middle of a session nothing is thrown: whoever must record hears of the failure.
      mustRecord: false,
      // It is the run that can be followed and spoken to.
      onLines: undefined,
      machine: undefined,
      note: (line) => {
        if (!mustRecord && !this.#hasComplained) this.#options.note(line);
        this.#hasComplained = true;
      },
    });
  }

  /** Ends the trace of the conversation that has been silent longest, if there are too many. It may come back in another. */
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

/** The path of a conversation's trace, beside that of the run: with `.conv-<n>` before its extension. */
function conversationPath(runPath: string, conversation: number): string {
  const extension = extname(runPath);
  return `${runPath.slice(0, runPath.length - extension.length)}.conv-${conversation}${extension}`;
}

/** The entries of each conversation in their order, as they are in a session that has no other. */
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

/** A session of its own that names the run and its number there. */
function headerOf(
  conversation: number,
  run: SessionHeader,
  own: Pick<SessionHeader, 'id' | 'startedAtMs'>,
): SessionHeader {
  const kept = JSON.parse(run.keepsakes?.trace ?? '{}') as object;
  const trace = JSON.stringify({ ...kept, run: run.id, conversation });
  return { ...run, ...own, label: `${run.label}-conv-${conversation}`, keepsakes: { ...run.keepsakes, trace } };
}
