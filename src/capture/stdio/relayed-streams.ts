import type { DecodedLine } from '../../json/lines.ts';
import type { Direction, Entry } from '../../model/entry.ts';
import { openGate, relay } from '../../proxy/stdio/relay.ts';
import { lineEntry } from '../../record/entry-maker.ts';
import { BoundedLines, type LongLine } from '../../transport/bounded-lines.ts';
import { flushed } from '../../transport/flushed.ts';
import type { TargetProcess } from '../../transport/process/target-process.ts';
import { frameOf } from '../../transport/stdio-frame.ts';
import type { StdioDeps } from '../capture-options.ts';
import type { SteeredSession } from '../steered-session.ts';
import { StdioGates } from './stdio-gates.ts';

export interface StreamOptions {
  /** mcpreel's own streams, which the client uses. */
  readonly client: Pick<StdioDeps, 'stdin' | 'stdout' | 'stderr' | 'closeStdout'>;
  readonly target: Pick<TargetProcess, 'stdin' | 'stdout' | 'stderr' | 'release'>;
  readonly session: SteeredSession;
  readonly maxMessageBytes: number;
  readonly nowMs: () => number;
}

export interface RelayedStreams {
  /** Resolves when the client's input has ended, or the server accepts no more. */
  readonly inputEnded: Promise<void>;
  /** Resolves when all server output has left this process, or the client is gone. */
  readonly outputsEnded: Promise<unknown>;
  /** Records the remains of unfinished lines. */
  finish(): void;
}

/** Relays stdin, stdout and stderr of a stdio server, and records them. */
export function relayStreams({ client, target, session, maxMessageBytes, nowMs }: StreamOptions): RelayedStreams {
  const { maker } = session;
  const record = (entries: readonly Entry[]): void => session.append(entries);
  const copyOf = (addLine: (line: DecodedLine | LongLine, atMs: number, entries: Entry[]) => void): StreamCopy =>
    new StreamCopy(maxMessageBytes, addLine, record);
  const copyOfSide = (direction: Direction): StreamCopy =>
    copyOf((line, atMs, entries) => {
      const frame = frameOf(line);
      if (frame !== undefined) maker.addFrame(frame, direction, atMs, entries);
    });
  const fromClient = copyOfSide('client_to_server');
  const fromServer = copyOfSide('server_to_client');
  const stderr = copyOf((line, atMs, entries) => entries.push(lineEntry('stdio.stderr', atMs, line)));
  const gates = new StdioGates({ session, maxMessageBytes, nowMs });

  const inputEnded = relay(client.stdin, target.stdin, gates.gateFor('client_to_server', fromClient)).then(
    () => void target.stdin.end(),
  );
  const stdoutEnded = relay(target.stdout, client.stdout, gates.gateFor('server_to_client', fromServer))
    .then(() => flushed(client.stdout))
    .then(client.closeStdout);
  const stderrEnded = relay(
    target.stderr,
    client.stderr,
    openGate(nowMs, (chunk, atMs) => stderr.push(chunk, atMs)),
  ).then(() => flushed(client.stderr));
  target.release();
  return {
    inputEnded,
    outputsEnded: Promise.all([stdoutEnded, stderrEnded]),
    finish() {
      for (const copy of [fromClient, fromServer, stderr]) copy.end(nowMs());
    },
  };
}

/** Splits the copy of one stream into lines, and records their entries chunk by chunk. */
class StreamCopy {
  readonly #lines: BoundedLines;
  readonly #addLine: (line: DecodedLine | LongLine, atMs: number, entries: Entry[]) => void;
  readonly #record: (entries: readonly Entry[]) => void;

  constructor(
    maxLineBytes: number,
    addLine: (line: DecodedLine | LongLine, atMs: number, entries: Entry[]) => void,
    record: (entries: readonly Entry[]) => void,
  ) {
    this.#lines = new BoundedLines(maxLineBytes);
    this.#addLine = addLine;
    this.#record = record;
  }

  push(chunk: Uint8Array, atMs: number): void {
    this.#recordLines(this.#lines.push(chunk), atMs);
  }

  end(atMs: number): void {
    this.#recordLines(this.#lines.end(), atMs);
  }

  #recordLines(lines: readonly (DecodedLine | LongLine)[], atMs: number): void {
    const entries: Entry[] = [];
    for (const line of lines) this.#addLine(line, atMs, entries);
    if (entries.length > 0) this.#record(entries);
  }
}
