import type { DecodedLine } from '../../json/lines.ts';
import { type Direction, type Entry, opposite, side } from '../../model/entry.ts';
import { ReelError } from '../../model/errors.ts';
import { objectsOf } from '../../protocol/rpc-body.ts';
import { type ForwardedCopy, type Gate, openGate, type RelayPassage, relay } from '../../proxy/stdio/relay.ts';
import { StdioGate } from '../../proxy/stdio/stdio-gate.ts';
import { lineEntry } from '../../record/entry-maker.ts';
import { BoundedLines, type LongLine } from '../../transport/bounded-lines.ts';
import { flushed } from '../../transport/flushed.ts';
import type { TargetProcess } from '../../transport/process/target-process.ts';
import { closeWhenRead } from '../../transport/read-all-sent.ts';
import { frameOf } from '../../transport/stdio-frame.ts';
import type { StdioDeps } from '../capture-options.ts';
import type { LiveSession } from '../live-session.ts';

export interface StreamOptions {
  /** mcpreel's own streams, which the client uses. */
  readonly client: Pick<StdioDeps, 'stdin' | 'closeStdin' | 'stdout' | 'stderr' | 'closeStdout'>;
  readonly target: Pick<TargetProcess, 'stdin' | 'stdout' | 'stderr' | 'release' | 'exited'>;
  readonly session: LiveSession;
  readonly maxMessageBytes: number;
  readonly nowMs: () => number;
}

export interface RelayedStreams {
  /** Resolves when the client's input has ended, or the server accepts no more. */
  readonly inputEnded: Promise<void>;
  /** Resolves when all server output has left this process, or the client is gone. */
  readonly outputsEnded: Promise<unknown>;
  /** Records what the client has sent until now, and the remains of unfinished lines. Then stdin is closed. */
  finish(): Promise<void>;
}

/** Relays stdin, stdout and stderr of a stdio server, and records them. */
export function relayStreams(options: StreamOptions): RelayedStreams {
  const { client, target, session, maxMessageBytes, nowMs } = options;
  const copyOf = (addLine: StreamCopy['addLine']): StreamCopy => new StreamCopy(session, maxMessageBytes, addLine);
  const copyOfSide = (direction: Direction): StreamCopy =>
    copyOf((line, atMs, entries) => {
      const frame = frameOf(line);
      if (frame !== undefined) session.maker.addFrame(frame, direction, atMs, entries);
    });
  const fromClient = copyOfSide('client_to_server');
  const fromServer = copyOfSide('server_to_client');
  const stderr = copyOf((line, atMs, entries) => entries.push(lineEntry('stdio.stderr', atMs, line)));
  const gates = new StdioGates(options);

  const clientGate = gates.gateFor('client_to_server', fromClient);
  const closeInput = async (atOnce = false): Promise<void> => {
    const { stdin, closeStdin } = client;
    const isRead = atOnce ? closeStdin(true) : await closeWhenRead(stdin, closeStdin);
    if (!isRead) session.recordUnread();
  };
  const inputEnded = relay(client.stdin, target.stdin, clientGate, (atOnce) => void closeInput(atOnce)).then(
    () => void target.stdin.end(),
  );
  const stdoutEnded = relay(target.stdout, client.stdout, gates.gateFor('server_to_client', fromServer))
    // A request that is still held gets an answer of mcpreel, at the latest when the server has exited.
    .then(() => Promise.race([gates.clientIsClear(), target.exited.then(() => session.interception.release())]))
    .then(() => flushed(client.stdout))
    .then(client.closeStdout);
  const stderrEnded = relay(target.stderr, client.stderr, openGate(nowMs, stderr)).then(() => flushed(client.stderr));
  target.release();
  return {
    inputEnded,
    outputsEnded: Promise.all([stdoutEnded, stderrEnded]),
    async finish() {
      // From then on, the client's writes fail, so that it knows what was not read.
      await closeInput();
      for (const copy of [fromClient, fromServer, stderr]) copy.end(nowMs());
    },
  };
}

/** Splits the copy of one stream into lines, and records their entries chunk by chunk. */
class StreamCopy implements ForwardedCopy {
  readonly addLine: (line: DecodedLine | LongLine, atMs: number, entries: Entry[]) => void;
  readonly #session: LiveSession;
  readonly #lines: BoundedLines;

  constructor(session: LiveSession, maxLineBytes: number, addLine: StreamCopy['addLine']) {
    this.addLine = addLine;
    this.#session = session;
    this.#lines = new BoundedLines(maxLineBytes);
  }

  push(chunk: Uint8Array, atMs: number): void {
    this.#record(this.#lines.push(chunk), atMs);
  }

  end(atMs: number): void {
    this.#record(this.#lines.end(), atMs);
  }

  #record(lines: readonly (DecodedLine | LongLine)[], atMs: number): void {
    const entries: Entry[] = [];
    for (const line of lines) this.addLine(line, atMs, entries);
    if (entries.length > 0) this.#session.record(entries);
  }
}

/** The gates of both directions. Each one injects answers through the other. */
class StdioGates {
  readonly #options: StreamOptions;
  readonly #gates = new Map<Direction, StdioGate>();

  constructor(options: StreamOptions) {
    this.#options = options;
    options.session.interception.injector = (direction, text) => this.#inject(direction, text);
  }

  gateFor(direction: Direction, copy: ForwardedCopy): (passage: RelayPassage) => Gate {
    const { session, maxMessageBytes, nowMs } = this.#options;
    const { interceptor, outOfOrder } = session.interception;
    return (passage) => {
      const gate = new StdioGate(
        {
          direction,
          interceptor,
          nowMs,
          maxMessageBytes,
          outOfOrder,
          copy,
          onSettled(settled) {
            const entries: Entry[] = [];
            session.maker.addSettled(settled, direction, entries);
            session.record(entries);
          },
          onUnsent: () => session.recordAction({ action: 'undelivered', dir: side(direction) }),
          answer: (text) => this.#inject(opposite(direction), text),
          replace: (text) => this.#inject(direction, text),
        },
        passage,
      );
      this.#gates.set(direction, gate);
      return gate;
    };
  }

  /** Resolves when no message of the client is held. */
  async clientIsClear(): Promise<void> {
    await this.#gates.get('client_to_server')?.isClear;
  }

  #inject(direction: Direction, text: string): void {
    const { session, nowMs } = this.#options;
    const gate = this.#gates.get(direction);
    if (gate === undefined) throw new ReelError('session-live', 'The session has not started');
    gate.inject(text, () => {
      const entries: Entry[] = [];
      const frame = objectsOf(text) ?? { kind: 'noise', text };
      session.maker.addFrame(frame, direction, nowMs(), entries, { injected: true });
      session.record(entries);
    });
  }
}
