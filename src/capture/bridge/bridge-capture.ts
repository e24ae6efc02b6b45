import { Bridge } from '../../proxy/bridge/bridge.ts';
import { DEFAULT_MAX_MESSAGE_BYTES } from '../../transport/bounded-lines.ts';
import { type OpenInbound, openHttpInbound, openStreams } from '../../transport/inbound/open-inbound.ts';
import { connectTarget, settingsOfTarget, targetFacts } from '../../transport/outbound/connect-target.ts';
import { closeWhenRead } from '../../transport/read-all-sent.ts';
import { endsWithin } from '../../transport/time-limit.ts';
import type { BridgeCaptureOptions, ListenerDeps, StdioDeps } from '../capture-options.ts';
import { LiveSession, sentence } from '../live-session.ts';
import { reportOutOfFiles } from '../out-of-files.ts';
import { headerFor } from '../session-header.ts';
import { redactionOf } from '../session-redactor.ts';
import { BridgeRecorder } from './bridge-recorder.ts';

/** What a bridge needs on either side: a listener, mcpreel's own streams, child processes. */
export type BridgeDeps = ListenerDeps &
  Pick<StdioDeps, 'stdin' | 'closeStdin' | 'stdout' | 'closeStdout' | 'stderr' | 'startTarget'>;

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
  const tokens = token === undefined ? [] : [token];
  const { redactor } = await redactionOf(options, { given: settingsOfTarget(target), tokens }, deps);
  const onError = reportOutOfFiles(deps.note);
  const inbound = await open(options, { ...deps, onError }, () => session.recordUnread());
  let session: LiveSession;
  try {
    const header = headerFor({ ...targetFacts(target), listen: inbound.url }, options, deps);
    session = new LiveSession(header, options, deps, redactor);
  } catch (error) {
    await inbound.close();
    throw error;
  }
  session.endOnSignals(inbound.url !== undefined);
  const { nowMs, startTarget, stderr } = deps;
  const { interception } = session;
  const isProgram = target.transport === 'stdio';
  const recorder: BridgeRecorder = new BridgeRecorder({
    session,
    nowMs,
    stderr,
    keepsNoise: isProgram,
    onDialogue(dialogue) {
      const joined = bridge.join(dialogue);
      const onEnd = (): void => {
        joined.onEnd();
        if (inbound.isLone) session.end();
      };
      return { ...joined, onEnd };
    },
    onTargetEnd(reason) {
      if (inbound.isLone) session.fail(reason);
      else if (!onError(reason)) deps.note(`mcpreel: ${sentence(reason)}`);
    },
  });
  const bridge: Bridge = new Bridge({
    openLink: connectTarget(target, { nowMs, startTarget, maxMessageBytes, own: inbound.listener, onError }),
    cancelsByMessage: isProgram,
    holding: { interceptor: interception.interceptor, outOfOrder: interception.outOfOrder, nowMs },
    events: recorder,
  });
  interception.injector = (...message) => bridge.inject(...message);
  inbound.begin(recorder);
  if (inbound.url !== undefined) deps.onListening(inbound.url);

  await session.ended;
  interception.release();
  inbound.leave();
  await bridge.close();
  await endsWithin(recorder.finished(), LAST_ENTRIES_MS);
  await inbound.close();
  return session.close();
}

async function openInbound(
  options: BridgeCaptureOptions,
  deps: BridgeDeps & { readonly onError: (error: unknown) => void },
  onUnread: () => void,
): Promise<OpenInbound> {
  const { listen, maxMessageBytes } = options;
  if (listen.transport !== 'stdio') return openHttpInbound(listen, deps, maxMessageBytes);
  const own = openStreams(deps, maxMessageBytes);
  return {
    ...own,
    async close() {
      // The client may have sent more since its target ended, or even before its target was connected.
      if (!(await closeWhenRead(deps.stdin, deps.closeStdin))) onUnread();
      await own.close();
      deps.closeStdout();
    },
  };
}
