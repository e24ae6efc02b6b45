import { ObjectView } from '../../json/object-view.ts';
import type { Entry, EventEntry, OtherEntry } from '../../model/entry.ts';
import type { RecordedSession } from '../../model/session.ts';
import type { Call, TrackedCall } from '../calls/call.ts';
import { CallTracker } from '../calls/call-tracker.ts';
import { Redeliveries } from '../calls/redeliveries.ts';
import { FindingConversations } from './conversations.ts';
import { HttpExchanges } from './exchanges.ts';
import type { Evidence, FindingOptions, FindingWatch } from './finder.ts';
import { FINDERS } from './finders.ts';
import { type EventPlace, FINDING_KINDS, type Finding, type FindingCode } from './finding.ts';
import { FindingMessage } from './seen-message.ts';

/** Runs all finders on one session, entry by entry. */
export class SessionFindings {
  readonly #calls = new CallTracker();
  readonly #options: FindingOptions;
  #conversations = new FindingConversations();
  #exchanges = new HttpExchanges();
  #redeliveries = new Redeliveries();
  #watches: readonly FindingWatch[];
  #found: Finding[] = [];
  #lastSequence: number | undefined;

  constructor(options: FindingOptions) {
    this.#options = options;
    this.#watches = FINDERS.map((finder) => finder.watch(this.#report, options));
  }

  readonly #report = (code: FindingCode, message: string, evidence: Evidence): void => {
    if (code === 'empty-session' && this.#lastSequence !== undefined) return;
    this.#found.push(findingOf(code, this.#options.cleanText?.(message) ?? message, evidence));
  };

  /** Takes the next entry; returns its findings. */
  take(entry: Entry): readonly Finding[] {
    if (entry.kind === 'message' && this.#redeliveries.take(entry)) {
      this.#lastSequence = entry.sequence;
      return NOTHING;
    }
    for (const watch of this.#watches) watch.entry?.(entry, this.#evidenceOf(entry));
    const tracked = this.#calls.take(entry);
    if (entry.kind === 'other' && entry.type === 'meta') {
      this.#takeTracked(tracked);
      this.#beginAnew();
    } else if (entry.kind === 'message') {
      const message = new FindingMessage(entry, this.#conversations.of(entry.conversation), (n) =>
        this.#exchanges.open(n),
      );
      if (entry.injected !== true) for (const watch of this.#watches) watch.message?.(message);
      this.#exchanges.takeMessage(message);
      this.#conversations.takeMessage(message);
      this.#lastSequence = entry.sequence;
    } else {
      const event = entry.kind === 'event' ? entry : strayValueIn(entry);
      if (event !== undefined) this.#takeEvent(event);
    }
    if (entry.kind !== 'other' || entry.type !== 'meta') this.#takeTracked(tracked);
    return this.#handOver();
  }

  /** A further header begins another session in the same file: its ids, handshakes and tools are its own. */
  #beginAnew(): void {
    for (const watch of this.#watches) watch.end?.();
    this.#conversations = new FindingConversations();
    this.#exchanges = new HttpExchanges();
    this.#redeliveries = new Redeliveries();
    const options = { ...this.#options, edgeSecrets: [] };
    this.#watches = FINDERS.map((finder) => finder.watch(this.#report, options));
  }

  /** Returns the findings that only the end of the session reveals. */
  end(): readonly Finding[] {
    for (const call of this.#calls.end()) this.#takeCall(call);
    for (const watch of this.#watches) watch.end?.();
    return this.#handOver();
  }

  #evidenceOf(entry: Entry): Evidence {
    if (entry.kind === 'message') return [entry.sequence];
    const event = entry.kind === 'event' ? entry.event : (entry.type ?? 'record');
    return { event, atMs: entry.atMs, after: this.#lastSequence };
  }

  #takeEvent(entry: EventEntry): void {
    const place: EventPlace = { event: entry.event, atMs: entry.atMs, after: this.#lastSequence };
    for (const watch of this.#watches) watch.event?.(entry, place);
    const exchange = this.#exchanges.end(entry, place);
    if (exchange !== undefined) for (const watch of this.#watches) watch.exchange?.(exchange);
  }

  #takeTracked({ calls, orphans }: TrackedCall): void {
    for (const orphan of orphans) {
      if (orphan.message.injected !== true) for (const watch of this.#watches) watch.orphan?.(orphan);
    }
    for (const call of calls) this.#takeCall(call);
  }

  #takeCall(call: Call): void {
    const conversation = this.#conversations.of(call.conversation);
    for (const watch of this.#watches) watch.call?.(call, conversation);
    this.#conversations.takeCall(call);
    this.#exchanges.takeCall(call);
  }

  #handOver(): readonly Finding[] {
    if (this.#found.length === 0) return NOTHING;
    const found = this.#found;
    this.#found = [];
    return found;
  }
}

const NOTHING: readonly Finding[] = [];

/** The value that was sent in place of a message, of a record that another tool wrote for it. */
function strayValueIn({ type, text, atMs }: OtherEntry): EventEntry | undefined {
  const view = type === undefined ? ObjectView.of(text) : undefined;
  const dir = view?.string('dir');
  const value = view?.textOf('raw');
  if (value === undefined || (dir !== 'in' && dir !== 'out')) return undefined;
  return { kind: 'event', event: 'stdio.noise', atMs, raw: JSON.stringify({ dir, text: value }) };
}

function findingOf(code: FindingCode, message: string, evidence: Evidence): Finding {
  const { severity, spec } = FINDING_KINDS[code];
  const shown = 'event' in evidence ? { sequences: [], at: evidence } : { sequences: evidence };
  return { code, severity, message, ...shown, ...(spec !== undefined && { spec }) };
}

/** The findings of a whole session, in the order in which they occur. */
export async function* findingsIn(
  session: RecordedSession,
  options: Omit<FindingOptions, 'ended' | 'exit'> = {},
): AsyncGenerator<Finding> {
  const findings = new SessionFindings({ ...options, ...endOf(session) });
  for await (const batch of session.batches()) for (const entry of batch) yield* findings.take(entry);
  yield* findings.end();
}

/** How a session ended, for its findings. */
export function endOf(session: RecordedSession): Pick<FindingOptions, 'ended' | 'exit'> {
  const { exitCode: code, signal, reason, endedAtMs: atMs } = session.footer ?? { endedAtMs: 0 };
  // Without a process, the code says nothing about the server.
  const exit =
    code === undefined || (reason !== undefined && signal === undefined) ? undefined : { code, signal, atMs };
  return { ended: hasEnded(session), exit };
}

/** mcpreel's own formats record the end of a session. Files in other formats count as complete. */
function hasEnded({ format, footer }: RecordedSession): boolean {
  return footer !== undefined || (format !== 'trace' && format !== 'json');
}
