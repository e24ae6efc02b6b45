import type { Readable, Writable } from 'node:stream';
import { onOneLine } from '../../json/layout.ts';
import type { DecodedLine } from '../../json/lines.ts';
import type { JsonText } from '../../model/entry.ts';
import { TOO_LONG } from '../../model/gap-reasons.ts';
import { answerText } from '../../protocol/answer-text.ts';
import { requestIdsIn } from '../../protocol/message-ids.ts';
import { objectsOf } from '../../protocol/rpc-body.ts';
import { BoundedLines, isBlank, type LongLine } from '../bounded-lines.ts';
import { endsWithin } from '../time-limit.ts';
import type {
  ClientDialogue,
  DialogueEvents,
  InboundEvents,
  InboundTransport,
  MessageDelivery,
  StrayLine,
} from './inbound-transport.ts';

export interface StdioInboundOptions {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly maxMessageBytes: number;
  readonly events: InboundEvents;
  /** How long to wait for answers after the client has closed stdin. */
  readonly lastAnswersMs?: number | undefined;
  /** The conversation's number, if the session can have several. */
  readonly conversation?: number | undefined;
  /** Called when the dialogue is over, on either side. */
  readonly onOver?: (() => void) | undefined;
}

const PARSE_ERROR = -32700;

/** To end mcpreel sooner, send it a signal. */
const DEFAULT_LAST_ANSWERS_MS = 10_000;

/** Serves the client on mcpreel's own stdin and stdout: one dialogue, one line per message. */
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
    this.#lines = new BoundedLines(maxMessageBytes, true);
    this.#behind = events.onDialogue(this);
    stdin.on('data', (chunk: Uint8Array) => this.#take(this.#lines.push(chunk)));
    for (const event of ['end', 'close', 'error']) stdin.once(event, () => void this.#inputEnded());
    stdout.on('drain', () => this.#behind.onDrain());
    // A client that closed mcpreel's stdout counts as disconnected.
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
    const { stdin } = this.#options;
    const body = 'text' in line ? objectsOf(line.text) : undefined;
    if (body !== undefined && 'text' in line) {
      const text = body.kind === 'message' ? body.text : line.text.trim();
      const takesMore = this.#behind.onMessage({ body, text, place: { conversation: this.conversation } });
      if (!takesMore) stdin.pause();
    } else if (!('text' in line)) this.#refuse(line, 'sha256' in line ? TOO_LONG : 'it is not valid UTF-8');
    else if (!isBlank(line.text)) this.#refuse({ text: line.text.replace(/\r$/, '') }, 'it is not a JSON-RPC message');
  }

  /** Answers a line that is not a message, because the client may wait for a response. */
  #refuse(line: StrayLine, why: string): void {
    this.#options.events.onStrayLine(line);
    const [id = 'null'] = requestIdsOf(line);
    const error = { code: PARSE_ERROR, message: `mcpreel: the line was not sent: ${why}` };
    this.deliver(answerText(id, 'error', JSON.stringify(error)), { isOwn: true });
  }

  /** The last requests may still be unanswered. Held messages are waited for without a limit. */
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

/** The ids of requests in a line that is not a message, as far as they can be recognized. */
function requestIdsOf(line: StrayLine): readonly JsonText[] {
  if ('bytes' in line) return requestIdsIn(Buffer.from(line.bytes).toString());
  if ('text' in line) return [];
  const requests = (line.envelopes ?? []).filter(({ kind }) => kind === 'request');
  return requests.flatMap(({ id }) => (id === undefined ? [] : [id]));
}
