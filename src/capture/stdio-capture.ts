import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { LineSplitter } from '../json/lines.ts';
import type { Direction, Entry } from '../model/entry.ts';
import { defaultLabel } from '../model/label.ts';
import type { SessionFooter, SessionHeader } from '../model/session.ts';
import { relay } from '../proxy/relay.ts';
import { StdioFrames } from '../proxy/stdio-frames.ts';
import { traceFileName } from '../record/catalogue.ts';
import { TraceRecorder } from '../record/trace-recorder.ts';
import { sessionsFolder } from '../state/home.ts';
import { type ExitStatus, startTarget, type TargetProcess } from '../transport/target-process.ts';
import { EntryMaker, eventEntry, lineEntry } from './entry-maker.ts';

/** What the user asked for. */
export interface StdioCaptureOptions {
  readonly command: readonly string[];
  readonly label?: string | undefined;
  readonly metadata: Readonly<Record<string, string>>;
  /** Variables for the server beside those that mcpreel itself was given. Their values are never recorded. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
  readonly traceFile?: string | undefined;
  readonly sessionFile?: string | undefined;
}

/** What the session runs in. */
export interface CaptureSurroundings {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stateFolder: string;
  readonly version: string;
  readonly nowMs: () => number;
  readonly newId: () => string;
  /** Calls back for each of these signals that arrives; returns the means to stop that. */
  readonly onSignal: (signals: readonly NodeJS.Signals[], heard: (signal: NodeJS.Signals) => void) => () => void;
  /** One line for the person who runs this; never on the protocol's stdout. */
  readonly note: (line: string) => void;
  /** Told where the trace is, once it is begun. */
  readonly onRecording?: (tracePath: string) => void;
}

const FORWARDED_SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** A process that the server left behind may hold its output open; it gets this long to finish. */
const DRAIN_MS = 2000;

/** Runs a stdio server between the client and itself, records what is said, and returns the server's exit status. */
export async function captureStdio(options: StdioCaptureOptions, around: CaptureSurroundings): Promise<number> {
  const header = headerFor(options, around);
  const recorder = startRecording(header, options, around);
  const save = sessionFileSaver(recorder, options, around);
  const target = startTarget({ command: options.command, env: { ...around.env, ...options.env }, cwd: options.cwd });
  const record = (entries: readonly Entry[]): void => recorder?.append(entries);

  let signalled = false;
  const stopListening = around.onSignal(FORWARDED_SIGNALS, (signal) => {
    signalled = true;
    target.kill(signal);
    record([eventEntry('mcpreel.action', around.nowMs(), { action: 'signal', signal })]);
    void save();
  });
  const streams = relayStreams(target, around, record);
  const status = await target.exited;
  await drain(streams.outputsEnded, () => !signalled && isTakingLong(around));
  streams.finish();

  if (status.startError !== undefined) {
    record([eventEntry('mcpreel.action', around.nowMs(), { action: 'exit', error: status.startError })]);
    around.note(`Error: Cannot start ${options.command[0] ?? ''}: ${status.startError}`);
  }
  recorder?.close(footerFor(status, header.startedAtMs, around.nowMs()));
  await save();
  stopListening();
  return status.code;
}

function headerFor(options: StdioCaptureOptions, around: CaptureSurroundings): SessionHeader {
  const meta = {
    kind: 'mcp',
    source: `mcpreel@${around.version}`,
    producer: { name: 'mcpreel', version: around.version },
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    ...(Object.keys(options.env).length > 0 && { env: Object.keys(options.env) }),
  };
  return {
    id: around.newId(),
    startedAtMs: around.nowMs(),
    label: options.label ?? defaultLabel(options.command),
    transport: 'stdio',
    command: options.command,
    url: undefined,
    metadata: JSON.stringify(options.metadata),
    keepsakes: { trace: JSON.stringify(meta) },
  };
}

/** A conversation is never refused because it cannot be recorded. */
function startRecording(
  header: SessionHeader,
  options: StdioCaptureOptions,
  around: CaptureSurroundings,
): TraceRecorder | undefined {
  const name = traceFileName(header.startedAtMs, header.label, header.id);
  const path = options.traceFile ?? join(sessionsFolder(around.stateFolder), name);
  const onFailure = (reason: string): void => {
    around.note(`mcpreel: Not recording for now: cannot write ${path}: ${reason}`);
  };
  try {
    const recorder = new TraceRecorder({ path, header, onFailure });
    around.onRecording?.(recorder.path);
    return recorder;
  } catch (error) {
    around.note(`mcpreel: Not recording: ${(error as Error).message}`);
    return undefined;
  }
}

/** Saves run one after the other; a call while one runs asks for one more after it. */
function sessionFileSaver(
  recorder: TraceRecorder | undefined,
  { sessionFile }: StdioCaptureOptions,
  around: CaptureSurroundings,
): () => Promise<void> {
  let last = Promise.resolve();
  if (recorder === undefined || sessionFile === undefined) return () => last;
  return () => {
    last = last
      // The readers of recordings are loaded when they are needed: a server must start as fast as without us.
      .then(() => import('../record/save-session-file.ts'))
      .then(({ saveSessionFile }) => saveSessionFile(recorder.path, sessionFile))
      .catch((error: Error) => around.note(`mcpreel: ${error.message} (the trace is ${recorder.path})`));
    return last;
  };
}

interface RelayedStreams {
  /** Resolves when everything that the server said has been passed on, or nobody is left to hear it. */
  readonly outputsEnded: Promise<unknown>;
  /** Records what was left of unfinished lines. */
  finish(): void;
}

function relayStreams(
  target: TargetProcess,
  around: CaptureSurroundings,
  record: (entries: readonly Entry[]) => void,
): RelayedStreams {
  const maker = new EntryMaker(around.newId);
  const fromClient = new StdioFrames();
  const fromServer = new StdioFrames();
  const stderrLines = new LineSplitter();
  const asEntries = (frames: ReturnType<StdioFrames['push']>, direction: Direction): Entry[] => {
    const atMs = around.nowMs();
    return frames.flatMap((frame) => maker.ofFrame(frame, direction, atMs));
  };
  const asStderr = (lines: ReturnType<LineSplitter['push']>): Entry[] =>
    lines.map((line) => lineEntry('stdio.stderr', around.nowMs(), line));

  void relay(around.stdin, target.stdin, (chunk) => record(asEntries(fromClient.push(chunk), 'client_to_server'))).then(
    () => target.stdin.end(),
  );
  const outputsEnded = Promise.all([
    relay(target.stdout, around.stdout, (chunk) => record(asEntries(fromServer.push(chunk), 'server_to_client'))),
    relay(target.stderr, around.stderr, (chunk) => record(asStderr(stderrLines.push(chunk)))),
  ]);
  return {
    outputsEnded,
    finish() {
      record(asEntries(fromClient.end(), 'client_to_server'));
      record(asEntries(fromServer.end(), 'server_to_client'));
      record(asStderr(stderrLines.end()));
    },
  };
}

/** Whether the client has yet to take what it was given. */
function isTakingLong({ stdout, stderr }: CaptureSurroundings): boolean {
  return stdout.writableNeedDrain || stderr.writableNeedDrain;
}

/** Waits for the end of the outputs: as long as it takes for a slow client, but not for a process that was left behind. */
async function drain(outputsEnded: Promise<unknown>, mayTakeLonger: () => boolean): Promise<void> {
  let ended = false;
  do {
    ended = await endsWithin(outputsEnded, DRAIN_MS);
  } while (!ended && mayTakeLonger());
}

async function endsWithin(work: Promise<unknown>, limitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, limitMs, false);
  });
  const ended = await Promise.race([work.then(() => true), limit]);
  clearTimeout(timer);
  return ended;
}

function footerFor(status: ExitStatus, startedAtMs: number, endedAtMs: number): SessionFooter {
  return { endedAtMs, exitCode: status.code, signal: status.signal, durationMs: endedAtMs - startedAtMs };
}
