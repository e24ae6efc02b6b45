import type { Writable } from 'node:stream';
import type { Direction, Entry } from '../model/entry.ts';
import { BoundedLines } from '../proxy/bounded-lines.ts';
import { type Gate, openGate, relay } from '../proxy/relay.ts';
import { type Frame, StdioFrames } from '../proxy/stdio-frames.ts';
import type { TargetProcess } from '../transport/target-process.ts';
import type { CaptureSurroundings } from './capture-options.ts';
import { EntryMaker, lineEntry } from './entry-maker.ts';
import { LookLater } from './look-later.ts';

export interface StreamOptions {
  /** Our side towards the client. */
  readonly client: Pick<CaptureSurroundings, 'stdin' | 'stdout' | 'stderr' | 'closeStdout'>;
  readonly target: Pick<TargetProcess, 'stdin' | 'stdout' | 'stderr'>;
  readonly record: (entries: readonly Entry[]) => void;
  readonly maxMessageBytes: number;
  readonly nowMs: () => number;
  readonly newId: () => string;
}

export interface RelayedStreams {
  /** Resolves when the client will say no more, or the server will hear no more. */
  readonly inputEnded: Promise<void>;
  /** Resolves when everything that the server said has left this process, or nobody is left to hear it. */
  readonly outputsEnded: Promise<unknown>;
  /** Records all that has arrived so far. */
  catchUp(): void;
  /** Records what was left of unfinished lines. */
  finish(): void;
}

/** Carries the three streams of a stdio server, and records the copy. */
export function relayStreams({ client, target, record, maxMessageBytes, nowMs, newId }: StreamOptions): RelayedStreams {
  const maker = new EntryMaker(newId);
  const later = new LookLater(record);
  const entriesOf = (frames: readonly Frame[], direction: Direction, atMs: number): Entry[] =>
    frames.flatMap((frame) => maker.ofFrame(frame, direction, atMs));
  const stderrOf = (lines: ReturnType<BoundedLines['push']>, atMs: number): Entry[] =>
    lines.map((line) => lineEntry('stdio.stderr', atMs, line));
  const fromClient = new StdioFrames(maxMessageBytes);
  const fromServer = new StdioFrames(maxMessageBytes);
  const stderrLines = new BoundedLines(maxMessageBytes);

  const gate = (look: (chunk: Uint8Array, atMs: number) => Entry[]): Gate =>
    openGate(nowMs, (chunk, atMs) => later.add(() => look(chunk, atMs)));
  const clientGate = gate((chunk, atMs) => entriesOf(fromClient.push(chunk), 'client_to_server', atMs));
  const serverGate = gate((chunk, atMs) => entriesOf(fromServer.push(chunk), 'server_to_client', atMs));
  const stderrGate = gate((chunk, atMs) => stderrOf(stderrLines.push(chunk), atMs));

  const inputEnded = relay(client.stdin, target.stdin, clientGate).then(() => void target.stdin.end());
  const stdoutEnded = relay(target.stdout, client.stdout, serverGate)
    .then(() => flushed(client.stdout))
    .then(client.closeStdout);
  const stderrEnded = relay(target.stderr, client.stderr, stderrGate).then(() => flushed(client.stderr));
  return {
    inputEnded,
    outputsEnded: Promise.all([stdoutEnded, stderrEnded]),
    catchUp: () => later.flush(),
    finish() {
      later.flush();
      record(entriesOf(fromClient.end(), 'client_to_server', nowMs()));
      record(entriesOf(fromServer.end(), 'server_to_client', nowMs()));
      record(stderrOf(stderrLines.end(), nowMs()));
    },
  };
}

/** Resolves when everything written so far has left this process, or nobody is there to take it. */
function flushed(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed) resolve();
    else stream.write('', () => resolve());
  });
}
