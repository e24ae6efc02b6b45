import { DEFAULT_MAX_MESSAGE_BYTES } from '../../transport/bounded-lines.ts';
import { DEFAULT_PATIENCE, Shutdown } from '../../transport/process/shutdown.ts';
import type { TargetProcess } from '../../transport/process/target-process.ts';
import { endsWithin } from '../../transport/time-limit.ts';
import type { StdioCaptureOptions, StdioDeps } from '../capture-options.ts';
import { ExitDeadline } from '../exit-deadline.ts';
import { isEnding, LiveSession } from '../live-session.ts';
import { openTrafficLog } from '../open-traffic-log.ts';
import { headerFor } from '../session-header.ts';
import { redactionOf } from '../session-redactor.ts';
import { relayStreams } from './relayed-streams.ts';

const DEFAULT_DRAIN_MS = 2000;
/** After a signal, how long the client has to read the server's remaining output. */
const HURRY_MS = 500;

/** Runs a stdio server, relays and records its traffic with the client, and returns the server's exit status. */
export async function captureStdio(options: StdioCaptureOptions, deps: StdioDeps): Promise<number> {
  const { patience } = options;
  const redaction = await redactionOf(options, { given: Object.entries(options.env) }, deps);
  const header = headerFor({ transport: 'stdio', ...options }, options, deps);
  const session = new LiveSession(header, options, deps, redaction.redactor);
  const log = openTrafficLog({ session, options, deps, redaction });
  session.log = log;
  const target = await deps.startTarget();
  const streams = relayStreams({
    client: deps,
    target,
    session,
    log,
    maxMessageBytes: options.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES,
    nowMs: deps.nowMs,
  });
  const { afterFirstAnswer } = deps;
  if (afterFirstAnswer !== undefined) target.stdout.once('data', () => setImmediate(afterFirstAnswer));
  const shutdown = new Shutdown({
    target,
    patience: { ...DEFAULT_PATIENCE, ...patience },
    parentIsGone: deps.parentIsGone,
    isProbe: () => session.isProbeOnly,
    // Windows has no SIGTERM. A client closes mcpreel's stdin to stop it, and then kills the process at once.
    clientSignals: deps.platform !== 'win32',
    hasOpenRequests: () => session.hasOpenRequests,
    onLingering: () => void session.saveMeanwhile(),
    onOwnSignal: (signal, why) => session.recordAction({ action: 'signal', signal, why }),
  });
  void session.ended.then(() => endServer(target, shutdown));
  void streams.inputEnded.then(() => shutdown.inputEnded());
  const hurry = new ExitDeadline(HURRY_MS);
  let mayBeEnding = false;
  const releaseIfLeft = (): void => {
    // A signal and the end of the input: the client has left, and its held messages would keep the server running.
    if (mayBeEnding && deps.stdin.readableEnded) session.interception.release();
  };
  deps.stdin.once('end', releaseIfLeft);
  session.onSignal((signal) => {
    // Held messages reach the server before the signal does, unless they need a decision.
    if (isEnding(signal)) {
      mayBeEnding = true;
      session.interception.signalled();
      releaseIfLeft();
    }
    target.signal(signal, deps.hasTerminal ? 'group' : 'process');
    shutdown.signalled(signal);
    hurry.signalled();
    session.recordAction({ action: 'signal', signal });
    session.signalled();
  });

  const status = await target.exited;
  session.interception.release();
  shutdown.close();
  hurry.serverEnded();
  await Promise.race([drain(streams.outputsEnded, options.drainMs ?? DEFAULT_DRAIN_MS, deps), hurry.isOver]);
  hurry.close();
  await streams.finish();
  if (status.startError !== undefined) {
    session.recordAction({ action: 'exit', error: status.startError });
    const hint = '. Use its absolute path: a client may have another PATH than your shell';
    deps.note(`Error: ${status.startError}${status.startError.endsWith('command not found') ? hint : ''}`);
  }
  return session.close(status);
}

/** Ends the server of a session that can no longer be recorded. */
function endServer(target: TargetProcess, shutdown: Shutdown): void {
  target.stdin.end();
  target.signal('SIGTERM', 'process');
  shutdown.inputEnded();
  shutdown.signalled('SIGTERM');
}

/** Waits for the end of the outputs: without limit for a slow client, but only briefly for a leftover process. */
async function drain(outputsEnded: Promise<unknown>, drainMs: number, { stdout, stderr }: StdioDeps): Promise<void> {
  const isTakingLong = (): boolean => stdout.writableLength > 0 || stderr.writableLength > 0;
  let ended = false;
  do {
    ended = await endsWithin(outputsEnded, drainMs);
  } while (!ended && isTakingLong());
}
