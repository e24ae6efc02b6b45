import type { Readable } from 'node:stream';
import { onOneLine } from '../../json/layout.ts';
import type { DecodedLine } from '../../json/lines.ts';
import type { JsonText } from '../../model/entry.ts';
import { TOO_LONG } from '../../model/gap-reasons.ts';
import { objectsOf } from '../../protocol/rpc-body.ts';
import { BoundedLines, DEFAULT_MAX_MESSAGE_BYTES, isBlank, type LongLine } from '../bounded-lines.ts';
import type { ExitStatus, TargetProcess } from '../process/target-process.ts';
import { endsWithin } from '../time-limit.ts';
import { LineBursts } from './line-bursts.ts';
import { MAX_WAITING_BYTES, ownAnswer, refuse } from './own-answer.ts';
import type { TargetLink, TargetLinkEvents, TooLong } from './target-link.ts';

export interface StdioLinkOptions {
  readonly start: () => Promise<TargetProcess>;
  readonly patience?: Partial<StdioLinkPatience> | undefined;
  /** The longest line that is accepted as a message. */
  readonly maxMessageBytes?: number | undefined;
}

/** Time limits for ending a server. */
export interface StdioLinkPatience {
  /** From closing its stdin to SIGTERM. */
  readonly eofMs: number;
  /** From SIGTERM to SIGKILL for the server's process group. */
  readonly killMs: number;
  /** How long a leftover child process may keep the server's output open. */
  readonly drainMs: number;
}

/** Clients kill mcpreel after 2 seconds, and the server must have ended by then. */
const DEFAULT_PATIENCE: StdioLinkPatience = { eofMs: 900, killMs: 700, drainMs: 2000 };
const CLOSING_DRAIN_MS = 300;
/** How long to wait for the exit of a server that has closed its stdin. */
const ENDING_MS = 100;

/** Starts a stdio server and connects to it, one line per message. */
export function openStdioLink(options: StdioLinkOptions, events: TargetLinkEvents): TargetLink {
  return new StdioLink(options, events);
}

class StdioLink implements TargetLink {
  readonly #events: TargetLinkEvents;
  readonly #patience: StdioLinkPatience;
  readonly #maxLineBytes: number;
  /** Lines sent before the server had started. */
  readonly #early: string[] = [];
  readonly #started: Promise<TargetProcess>;
  readonly #over: Promise<void>;
  #stdin: LineBursts | undefined;
  #stdout: Readable | undefined;
  #isPaused = false;
  #isClosing = false;
  #hasEnded = false;

  constructor(options: StdioLinkOptions, events: TargetLinkEvents) {
    this.#events = events;
    this.#patience = { ...DEFAULT_PATIENCE, ...options.patience };
    this.#maxLineBytes = options.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES;
    this.#started = options.start();
    this.#over = this.#run();
  }

  send(text: JsonText): boolean {
    if (this.#isClosing || this.#hasEnded) return true;
    const line = `${onOneLine(text)}\n`;
    if (this.#stdin === undefined) return this.#early.push(line) > 0;
    if (!this.#stdin.isOpen) {
      void this.#refuseUnlessOver(text);
      return true;
    }
    if (this.#stdin.waitingBytes <= MAX_WAITING_BYTES) return this.#stdin.write(line);
    refuse(text, this.#events);
    return false;
  }

  /** If the server exits within this time, its exit is reported instead of the closed stdin. */
  async #refuseUnlessOver(text: JsonText): Promise<void> {
    const { exited } = await this.#started;
    if (!(await endsWithin(exited, ENDING_MS))) refuse(text, this.#events, 'has closed its input');
  }

  abandon(): void {
    // The server continues the request, unless the client itself cancels it.
  }

  pause(): void {
    this.#isPaused = true;
    this.#stdout?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#stdout?.resume();
  }

  async close(): Promise<void> {
    if (!this.#isClosing) {
      this.#isClosing = true;
      this.resume();
      const target = await this.#started;
      this.#stdin?.end();
      void this.#makeItEnd(target);
    }
    await this.#over;
  }

  /** Some servers ignore the end of their stdin, and some ignore SIGTERM, too. */
  async #makeItEnd(target: TargetProcess): Promise<void> {
    const { eofMs, killMs } = this.#patience;
    if (await endsWithin(target.exited, eofMs)) return;
    target.signal('SIGTERM', 'group');
    if (await endsWithin(target.exited, killMs)) return;
    target.signal('SIGKILL', 'group');
  }

  async #run(): Promise<void> {
    const target = await this.#started;
    // The exit of the server reports this.
    target.stdin.on('error', () => undefined);
    target.stdin.on('drain', () => this.#events.onDrain?.());
    this.#stdin = new LineBursts(target.stdin);
    for (const line of this.#early) this.#stdin.write(line);
    const ends = [
      this.#readLines(target.stdout, (line) => this.#takeLine(line)),
      this.#readLines(target.stderr, (line) => this.#events.onLine('stderr', sentIn(line), tooLongIn(line))),
    ];
    this.#stdout = target.stdout;
    target.release();
    if (this.#isPaused) target.stdout.pause();
    const status = await target.exited;
    target.stdin.destroy();
    await this.#drain(target, Promise.all(ends));
    this.#hasEnded = true;
    this.#events.onEnd(this.#isClosing ? undefined : reasonFor(status));
  }

  /**
   * Waits for the remaining output: without limit while the reader is paused, but only briefly for a leftover process.
   */
  async #drain(target: TargetProcess, outputsEnded: Promise<unknown>): Promise<void> {
    let ended = false;
    do {
      const limitMs = this.#isClosing ? CLOSING_DRAIN_MS : this.#patience.drainMs;
      ended = await endsWithin(outputsEnded, limitMs);
    } while (!ended && this.#isPaused);
    if (ended) return;
    target.signal('SIGKILL', 'group');
    for (const output of [target.stdout, target.stderr]) output.destroy();
    await outputsEnded;
  }

  #readLines(stream: Readable, take: (line: DecodedLine | LongLine) => void): Promise<void> {
    const lines = new BoundedLines(this.#maxLineBytes, true);
    return new Promise((resolve) => {
      stream.on('data', (chunk: Buffer) => lines.push(chunk).forEach(take));
      stream.on('error', () => stream.destroy());
      const finish = (): void => {
        lines.end().forEach(take);
        resolve();
      };
      if (stream.closed) finish();
      else stream.once('close', finish);
    });
  }

  #takeLine(line: DecodedLine | LongLine): void {
    if ('sha256' in line) this.#replaceAnswers(line);
    const body = 'text' in line ? objectsOf(line.text) : undefined;
    if (body?.kind === 'message') this.#events.onMessage(body.text, {}, body.peek);
    else if (body !== undefined) this.#events.onMessage('text' in line ? line.text.trim() : '', {});
    else if (!('text' in line) || !isBlank(line.text)) this.#events.onLine('noise', sentIn(line), tooLongIn(line));
  }

  /** A response that is too long to be forwarded is replaced by an error, because its client waits for it. */
  #replaceAnswers({ size, envelopes = [] }: LongLine): void {
    for (const { kind, id } of envelopes) {
      if (kind !== 'response' || id === undefined) continue;
      const reason = `the response was not forwarded: its ${size} bytes are ${TOO_LONG}`;
      this.#events.onMessage(ownAnswer(id, { reason }), { requestId: id, isOwn: true });
    }
  }
}

/** The text of a line, for display. */
function sentIn(line: DecodedLine | LongLine): string {
  if ('text' in line) return line.text.replace(/\r$/, '');
  if ('bytes' in line) return Buffer.from(line.bytes).toString();
  return `(a line of ${line.size} bytes, which is too long)`;
}

function tooLongIn(line: DecodedLine | LongLine): TooLong | undefined {
  return 'sha256' in line ? { size: line.size, sha256: line.sha256 } : undefined;
}

function reasonFor({ code, signal, startError }: ExitStatus): string {
  if (startError !== undefined) return startError;
  return signal === undefined ? `the server exited with status ${code}` : `the server was killed by ${signal}`;
}
