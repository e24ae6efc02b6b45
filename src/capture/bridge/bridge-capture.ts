import { Bridge } from '../../proxy/bridge/bridge.ts';
import { DEFAULT_MAX_MESSAGE_BYTES } from '../../transport/bounded-lines.ts';
import { connectTarget, secretsOfTarget, targetFacts } from '../../transport/outbound/connect-target.ts';
import { endsWithin } from '../../transport/time-limit.ts';
import type { BridgeCaptureOptions, ListenerDeps, StdioDeps } from '../capture-options.ts';
import { LiveSession, sentence } from '../live-session.ts';
import { headerFor } from '../session-header.ts';
import { redactorOf } from '../session-redactor.ts';
import { BridgeRecorder } from './bridge-recorder.ts';
import { openInbound } from './open-inbound.ts';

/** What a bridge needs on either side: a listener, mcpreel's own streams, child processes. */
export type BridgeDeps = ListenerDeps & Pick<StdioDeps, 'stdin' | 'stdout' | 'closeStdout' | 'stderr' | 'startTarget'>;

/** How long to wait until exchanges that end with the session are recorded. */
const LAST_ENTRIES_MS = 500;

/**
 * Bridges clients of one transport to a server of another, and records the messages as the clients sent and received
 * them. Runs until a signal ends it or, on mcpreel's own stdin and stdout, until either side leaves.
 */
export async function captureBridge(
  options: BridgeCaptureOptions,
  deps: BridgeDeps,
  open: typeof openInbound = openInbound,
): Promise<number> {
  const { target, listen, maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES } = options;
  const token = listen.transport === 'stdio' ? undefined : listen.token;
  const secrets = [...secretsOfTarget(target), ...(token === undefined ? [] : [token])];
  const redactor = await redactorOf(options, secrets, deps);
  const inbound = await open(options, deps);
  let session: LiveSession;
  try {
    const header = headerFor({ ...targetFacts(target), listen: inbound.url }, options, deps);
    session = new LiveSession(header, options, deps, redactor);
  } catch (error) {
    await inbound.close();
    throw error;
  }
  session.endOnSignals();
  const { nowMs, startTarget, stderr } = deps;
  const { interception } = session;
  const isProgram = target.transport === 'stdio';
  const recorder = new BridgeRecorder({
    session,
    nowMs,
    stderr,
    keepsNoise: isProgram,
  });
  const bridge = new Bridge({
    openLink: connectTarget(target, { nowMs, startTarget, maxMessageBytes, own: inbound.listener }),
    cancelsByMessage: isProgram,
    holding: { interceptor: interception.interceptor, outOfOrder: interception.outOfOrder, nowMs },
    events: {
      onSent: (...sent) => recorder.onSent(...sent),
      onSentInPlace: (...sent) => recorder.onSentInPlace(...sent),
      onLine: (...line) => recorder.onLine(...line),
      onTargetExchange: (...exchange) => recorder.onTargetExchange(...exchange),
      onStopped: (...messages) => recorder.onStopped(...messages),
      onUndelivered: (...message) => recorder.onUndelivered(...message),
      onTargetEnd: (reason, conversation) => {
        session.recordAction({ action: 'exit', error: reason }, conversation);
        if (inbound.isLone) session.fail(reason);
        else deps.note(`mcpreel: ${sentence(reason)}`);
      },
    },
  });
  interception.injector = (...message) => bridge.inject(...message);
  inbound.begin({ bridge, recorder, onLeft: () => session.end() });
  if (inbound.url !== undefined) deps.onListening(inbound.url);

  await session.ended;
  interception.release();
  inbound.leave();
  await bridge.close();
  await endsWithin(recorder.finished(), LAST_ENTRIES_MS);
  await inbound.close();
  return session.close();
}
