import type { Writable } from 'node:stream';
import type { Settlement } from '../../intercept/held-message.ts';
import type { Entry } from '../../model/entry.ts';
import { TOO_LONG } from '../../model/gap-reasons.ts';
import { objectsOf } from '../../protocol/rpc-body.ts';
import type { BridgeEvents } from '../../proxy/bridge/bridge-options.ts';
import { eventEntry, lineEntry } from '../../record/entry-maker.ts';
import type {
  ClientDialogue,
  ClientExchange,
  ClientMessage,
  DialogueEvents,
  InboundEvents,
  InboundPlace,
  MessageDelivery,
  ServerMessageKind,
  StrayLine,
} from '../../transport/inbound/inbound-transport.ts';
import type { LinkExchange, TooLong } from '../../transport/outbound/target-link.ts';
import type { StdioFrame } from '../../transport/stdio-frame.ts';
import { exchangeEntry } from '../http/exchange-entry.ts';
import type { LiveSession } from '../live-session.ts';

export interface BridgeRecorderOptions {
  readonly session: Pick<LiveSession, 'maker' | 'record'>;
  readonly nowMs: () => number;
  /** Whether text that is not a message is recorded. Over HTTP it could be anything, secrets included. */
  readonly keepsNoise: boolean;
  /** Where the stderr output of servers is shown. */
  readonly stderr: Writable;
  /** Connects a client with its target. */
  readonly onDialogue: InboundEvents['onDialogue'];
  /** Called when a target ended by itself. */
  readonly onTargetEnd: (reason: string) => void;
}

/** Records both sides of a bridge: messages as clients sent and received them, HTTP exchanges, and server output. */
export class BridgeRecorder implements InboundEvents, BridgeEvents {
  readonly #options: BridgeRecorderOptions;
  #exchanges = 0;
  #openExchanges = 0;
  #nobodyIsOpen: () => void = () => undefined;

  constructor(options: BridgeRecorderOptions) {
    this.#options = options;
  }

  /** Resolves when every exchange with a client is recorded. */
  async finished(): Promise<void> {
    if (this.#openExchanges > 0) await new Promise<void>((resolve) => (this.#nobodyIsOpen = resolve));
  }

  nextExchange(): number {
    this.#openExchanges++;
    return this.#exchanges++;
  }

  onDialogue(dialogue: ClientDialogue): DialogueEvents {
    return this.#options.onDialogue(dialogue);
  }

  onSent({ body, place }: ClientMessage, settled: readonly Settlement[] | undefined): void {
    const { session, nowMs } = this.#options;
    const entries: Entry[] = [];
    if (settled === undefined) session.maker.addFrame(body, 'client_to_server', nowMs(), entries, place);
    else session.maker.addSettled(settled, 'client_to_server', entries, place);
    session.record(entries);
  }

  onSentInPlace(text: string, place: InboundPlace): void {
    const { session, nowMs } = this.#options;
    const entries: Entry[] = [];
    session.maker.addFrame(frameIn(text), 'client_to_server', nowMs(), entries, { ...place, injected: true });
    session.record(entries);
  }

  onReported(reported: ServerMessageKind, place: InboundPlace): void {
    this.#options.session.record(this.#entriesOf(reported, place));
  }

  onReportedAsBatch(reported: readonly ServerMessageKind[], place: InboundPlace): void {
    const { session, nowMs } = this.#options;
    const pasts = reported.map(
      ({ text, delivery }): readonly Settlement[] =>
        pastOf(delivery) ?? [{ id: '', text, atMs: nowMs(), decision: { action: 'forward' } }],
    );
    const areOwn = reported.flatMap(({ delivery }, index) => (pasts[index] ?? []).map(() => delivery.isOwn));
    const settled = pasts.flat();
    const atMs = Math.max(...settled.map((settlement) => settlement.atMs));
    const entries: Entry[] = [];
    const batch = settled.map((settlement) => ({ ...settlement, atMs, inBatch: true }));
    session.maker.addSettled(batch, 'server_to_client', entries, place);
    session.record(
      entries.map((entry, at) => (areOwn[at] && entry.kind === 'message' ? { ...entry, injected: true } : entry)),
    );
  }

  onStopped(settled: readonly Settlement[], conversation: number): void {
    const { session } = this.#options;
    const entries: Entry[] = [];
    session.maker.addSettled(settled, 'server_to_client', entries, { conversation });
    session.record(entries);
  }

  onEndpoint(data: string, { conversation, exchange }: InboundPlace): void {
    this.#report('http.event', { exchange, event: 'endpoint', data }, conversation);
  }

  onUndelivered(untold: ServerMessageKind, conversation: number): void {
    const entries = this.#entriesOf(untold, { conversation });
    this.#options.session.record(
      entries.map((entry) => (entry.kind === 'message' ? { ...entry, dropped: true } : entry)),
    );
  }

  onStrayLine(line: StrayLine): void {
    this.#options.session.record([lineEntry('stdio.noise', this.#options.nowMs(), line, { dir: 'in' })]);
  }

  onLine(stream: 'stderr' | 'noise', text: string, conversation: number, tooLong?: TooLong): void {
    const { stderr, keepsNoise } = this.#options;
    if (stream === 'stderr' && !stderr.destroyed) stderr.write(`${text}\n`);
    const dir = stream === 'noise' ? { dir: 'out' } : {};
    const isKept = stream === 'stderr' || keepsNoise;
    if (tooLong === undefined) {
      this.#report(`stdio.${stream}`, { ...dir, ...(isKept ? { text } : { size: text.length }) }, conversation);
    } else this.#report('mcpreel.gap', { missed: 1, why: TOO_LONG, ...dir, ...tooLong }, conversation);
  }

  onExchange(exchange: ClientExchange): void {
    const { session, nowMs } = this.#options;
    session.record([exchangeEntry(exchange, nowMs(), exchange.conversation)]);
    session.maker.endExchange(exchange.exchange);
    this.#openExchanges--;
    if (this.#openExchanges === 0) this.#nobodyIsOpen();
  }

  onTargetExchange(exchange: LinkExchange, conversation: number): void {
    const { session, nowMs } = this.#options;
    const bytes = { in: exchange.bytes.request, out: exchange.bytes.response };
    const finished = { ...exchange, exchange: this.#exchanges++, bytes, side: 'target' } as const;
    session.record([exchangeEntry(finished, nowMs(), conversation)]);
  }

  onTargetEnd(reason: string, conversation: number): void {
    this.#report('mcpreel.action', { action: 'exit', error: reason }, conversation);
    this.#options.onTargetEnd(reason);
  }

  #entriesOf({ text, delivery }: ServerMessageKind, place: InboundPlace): Entry[] {
    const { session, nowMs } = this.#options;
    const entries: Entry[] = [];
    const past = pastOf(delivery);
    const where = { ...place, injected: delivery.isOwn };
    if (past === undefined) session.maker.addFrame(frameIn(text), 'server_to_client', nowMs(), entries, where);
    else session.maker.addSettled(past, 'server_to_client', entries, where);
    return entries;
  }

  #report(event: string, raw: Readonly<Record<string, unknown>>, conversation: number): void {
    this.#options.session.record([eventEntry(event, this.#options.nowMs(), raw, conversation)]);
  }
}

/** What became of a delivered message, which the bridge stores in `past`. */
function pastOf({ past }: MessageDelivery): readonly Settlement[] | undefined {
  return past as readonly Settlement[] | undefined;
}

/** Text that is not a message was sent on purpose, so it is recorded as noise. */
function frameIn(text: string): StdioFrame {
  return objectsOf(text) ?? { kind: 'noise', text };
}
