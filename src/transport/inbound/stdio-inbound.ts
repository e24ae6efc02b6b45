import type { Readable, Writable } from 'node:stream';
import { onOneLine } from '../../json/layout.ts';
import type { DecodedLine } from '../../json/lines.ts';
import type { JsonText } from '../../model/entry.ts';
import { objectsOf } from '../../protocol/rpc-body.ts';
import { BoundedLines, isBlank, type LongLine } from '../bounded-lines.ts';
import { endsWithin } from '../time-limit.ts';
import type {
  ClientDialogue,
  DialogueEvents,
  InboundEvents,
  InboundTransport,
  MessageDelivery,
} from './inbound-transport.ts';

export interface StdioInboundOptions {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly maxMessageBytes: number;
  readonly events: InboundEvents;
  /** How long a client that says no more may still wait for answers. */
  readonly lastAnswersMs?: number | undefined;
  /** Which of the session's conversations it is, where there can be several. */
  readonly conversation?: number | undefined;
  /** Told when the dialogue is over, whoever has ended it. */
  readonly onOver?: (() => void) | undefined;
}

/** Whoever wants us to end sooner sends a signal. */
const DEFAULT_LAST_ANSWERS_MS = 10_000;

/** Talks with the client at our own stdin and stdout: one dialogue, a line per message. */
export function openStdioInbound(options: StdioInboundOptions): InboundTransport {
  return new StdioInbound(options);
}

class StdioInbound implements InboundTransport, ClientDialogue {
  readonly conversation: number;
  readonly isSingle = false;
  readonly takesApart = false;
  readonly #options: StdioInboundOptions;
  readonly #lines: BoundedLines;
  readonly #behind: DialogueEvents;
  readonly #over: Promise<void>;
  #setOver: () => void = () => undefined;
  #hasAll = false;
  #ended = false;

  constructor(options: StdioInboundOptions) {
    const { stdin, stdout, events, maxMessageBytes } = options;
    this.#options = options;
    this.conversation = options.conversation ?? 0;
    this.#over = new Promise((resolve) => {
      this.#setOver = resolve;
    });
    this.#lines = new BoundedLines(maxMessageBytes);
    this.#behind = events.onDialogue(this);
    stdin.on('data', (chunk: Uint8Array) => this.#take(this.#lines.push(chunk)));
    for (const event of ['end', 'close', 'error']) stdin.once(event, () => void this.#inputEnded());
    stdout.on('drain', () => this.#behind.onDrain());
    // A client that no longer listens has left, as far as anybody can tell.
    stdout.on('error', () => this.#leave());
  }

  deliver(text: JsonText, delivery: MessageDelivery): boolean {
    const { stdout, events } = this.#options;
    const takesMore = stdout.write(`${onOneLine(text)}\n`);
    events.onReported({ text, delivery }, { conversation: this.conversation });
    return takesMore;
  }

  resume(): void {
    this.#options.stdin.resume();
  }

  end(): void {
    const { stdin, onOver } = this.#options;
    this.#ended = true;
    stdin.pause();
    this.#setOver();
    onOver?.();
  }

  close(): void {
    this.#leave();
  }

  #take(lines: readonly (DecodedLine | LongLine)[]): void {
    for (const line of lines) this.#takeLine(line);
  }

  #takeLine(line: DecodedLine | LongLine): void {
    const { stdin, events } = this.#options;
    const body = 'text' in line ? objectsOf(line.text) : undefined;
    if (body !== undefined && 'text' in line) {
      const text = body.kind === 'message' ? body.text : line.text.trim();
      const takesMore = this.#behind.onMessage({ body, text, place: { conversation: this.conversation } });
      if (!takesMore) stdin.pause();
    } else if (!('text' in line)) events.onStrayLine(line);
    else if (!isBlank(line.text)) events.onStrayLine({ text: line.text.replace(/\r$/, '') });
  }

  /** What was asked for last may not be answered yet, and what somebody holds takes as long as it takes. */
  async #inputEnded(): Promise<void> {
    if (this.#hasAll) return;
    this.#hasAll = true;
    this.#take(this.#lines.end());
    const limitMs = this.#options.lastAnswersMs ?? DEFAULT_LAST_ANSWERS_MS;
    const orOver = (promise: Promise<void>): Promise<void> => Promise.race([promise, this.#over]);
    let isDone = false;
    do {
      if (this.#behind.isHeld()) await orOver(this.#behind.released());
      isDone = await endsWithin(orOver(this.#behind.answered()), limitMs);
    } while (!isDone && this.#behind.isHeld());
    this.#leave();
  }

  #leave(): void {
    if (this.#ended) return;
    this.end();
    this.#behind.onEnd();
  }
}
