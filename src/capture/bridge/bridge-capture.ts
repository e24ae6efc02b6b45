import { Bridge } from '../../proxy/bridge/bridge.ts';
import { endsWithin } from '../../transport/time-limit.ts';
import {
  type BridgeCaptureOptions,
  DEFAULT_MAX_MESSAGE_BYTES,
  type ListenerSurroundings,
  type StdioSurroundings,
} from '../capture-options.ts';
import { LastingSession, sentence } from '../lasting-session.ts';
import { headerFor } from '../session-header.ts';
import { redactorOf } from '../session-redactor.ts';
import { BridgeRecorder } from './bridge-recorder.ts';
import { linkOpener, secretsOf, targetFacts } from './bridge-target.ts';
import { openFront } from './open-inbound.ts';

/** What a bridge may have on either side: a listener, our own streams, programs. */
export type BridgeDeps = ListenerSurroundings &
  Pick<StdioSurroundings, 'stdin' | 'stdout' | 'closeStdout' | 'stderr' | 'startTarget'>;

/** What exchanges that end with the session get to be recorded. */
const LAST_ENTRIES_MS = 500;

/**
 * Lets clients of one transport talk with a server of another, and records what the clients said and were told. It goes on
 * until a signal ends it or, on our own streams, either side leaves.
 */
export async function captureBridge(
  options: BridgeCaptureOptions,
  around: BridgeDeps,
  open: typeof openFront = openFront,
): Promise<number> {
  const { target, maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES } = options;
  const redactor = await redactorOf(options, secretsOf(options), around);
  const front = await open(options, around);
  let session: LastingSession;
  try {
    const header = headerFor({ ...targetFacts(target), listen: front.url }, options, around);
    session = new LastingSession(header, options, around, redactor);
  } catch (error) {
    await front.close();
    throw error;
  }
  const { nowMs, stderr } = around;
  const { interception } = session;
  const isProgram = target.transport === 'stdio';
  const recorder = new BridgeRecorder({
    maker: session.maker,
    record: (entries) => session.append(entries),
    nowMs,
    stderr,
    keepsNoise: isProgram,
  });
  const bridge = new Bridge({
    openLink: linkOpener({ target, around, maxMessageBytes, own: front.listener }),
    cancelsByMessage: isProgram,
    holding: { desk: interception.desk, outOfOrder: interception.outOfOrder, nowMs },
    events: {
      onSaid: (...said) => recorder.onSaid(...said),
      onSaidInPlace: (...said) => recorder.onSaidInPlace(...said),
      onLine: (...line) => recorder.onLine(...line),
      onTargetExchange: (...exchange) => recorder.onTargetExchange(...exchange),
      onStopped: (...messages) => recorder.onStopped(...messages),
      onUndelivered: (...message) => recorder.onUndelivered(...message),
      onTargetEnd: (reason, conversation) => {
        session.recordAction({ action: 'exit', error: reason }, conversation);
        if (front.isLone) session.fail(reason);
        else around.note(`mcpreel: ${sentence(reason)}`);
      },
    },
  });
  interception.injector = (...message) => bridge.inject(...message);
  front.begin({ bridge, recorder, onLeft: () => session.end() });
  if (front.url !== undefined) around.onListening(front.url);

  await session.ended;
  interception.release();
  front.leave();
  await bridge.close();
  await endsWithin(recorder.finished(), LAST_ENTRIES_MS);
  await front.close();
  return session.close();
}
