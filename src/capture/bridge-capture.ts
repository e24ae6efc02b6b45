import { Bridge } from '../proxy/bridge.ts';
import { DEFAULT_REDACTION } from '../redact/redaction-rules.ts';
import { redactorFor } from '../redact/redactor-for.ts';
import { endsWithin } from '../transport/time-limit.ts';
import { openFront } from './bridge-front.ts';
import { BridgeRecorder } from './bridge-recorder.ts';
import { linkOpener, secretsOf, targetFacts } from './bridge-target.ts';
import {
  type BridgeCaptureOptions,
  DEFAULT_MAX_MESSAGE_BYTES,
  type ListenerSurroundings,
  type StdioSurroundings,
} from './capture-options.ts';
import { EntryMaker, eventEntry } from './entry-maker.ts';
import { KeptSession } from './kept-session.ts';
import { headerFor } from './session-header.ts';

/** What a bridge may have on either side: a listener, our own streams, programs. */
export type BridgeSurroundings = ListenerSurroundings &
  Pick<StdioSurroundings, 'stdin' | 'stdout' | 'closeStdout' | 'stderr' | 'startTarget'>;

const STATUS_DONE = 0;
const STATUS_FAILED = 1;
/** What exchanges that end with the session get to be recorded. */
const LAST_ENTRIES_MS = 500;

/** Signals that are no reason to end. */
const OTHER_SIGNALS: readonly NodeJS.Signals[] = ['SIGUSR1', 'SIGUSR2'];

/**
 * Lets clients of one transport talk with a server of another, and records what the clients said and were told. It goes on
 * until a signal ends it or, on our own streams, either side leaves.
 */
export async function captureBridge(options: BridgeCaptureOptions, around: BridgeSurroundings): Promise<number> {
  const { target, listen, maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES } = options;
  const isOnOwnStreams = listen.transport === 'stdio';
  const salt = around.newId() + around.newId();
  const exactValues = secretsOf(options);
  const redactor = await redactorFor(options.redaction ?? DEFAULT_REDACTION, { salt, exactValues });
  let failure: string | undefined;
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const fail = (reason: string): void => {
    failure ??= reason;
    end();
  };

  const front = await openFront(options, around);
  let kept: KeptSession;
  try {
    const header = headerFor({ ...targetFacts(target), listen: front.url }, options, around);
    kept = new KeptSession(header, options, around, redactor, (reason) => {
      if (!options.mustRecord) return;
      fail(`The session was ended because it could not be recorded any more: ${reason}`);
    });
  } catch (error) {
    await front.close();
    throw error;
  }
  const { nowMs, stderr } = around;
  const record: KeptSession['append'] = (entries) => kept.append(entries);
  const isProgram = target.transport === 'stdio';
  const maker = new EntryMaker(kept.id);
  const recorder = new BridgeRecorder({ maker, record, nowMs, stderr, keepsNoise: isProgram });
  const recordAction = (raw: Readonly<Record<string, unknown>>, conversation?: number): void =>
    record([eventEntry('mcpreel.action', nowMs(), raw, conversation)]);
  const bridge = new Bridge({
    openLink: linkOpener({ target, around, maxMessageBytes, ownPort: front.port }),
    cancelsByMessage: isProgram,
    events: {
      onLine: (...line) => recorder.onLine(...line),
      onTargetExchange: (...exchange) => recorder.onTargetExchange(...exchange),
      onUndelivered: (...message) => recorder.onUndelivered(...message),
      onTargetEnd: (reason, conversation) => {
        recordAction({ action: 'exit', error: reason }, conversation);
        if (isOnOwnStreams) fail(reason);
        else around.note(`mcpreel: ${sentence(reason)}`);
      },
    },
  });
  const stopListening = around.onSignal((signal) => {
    recordAction({ action: 'signal', signal });
    if (OTHER_SIGNALS.includes(signal)) return;
    kept.signalled();
    end();
  });
  front.begin({ bridge, recorder, onLeft: end });
  if (front.url !== undefined) around.onListening(front.url);

  await ended;
  front.leave();
  await bridge.close();
  await endsWithin(recorder.finished(), LAST_ENTRIES_MS);
  await front.close();
  await kept.end({ code: failure === undefined ? STATUS_DONE : STATUS_FAILED, reason: 'producer_shutdown' });
  stopListening();
  if (failure === undefined) return STATUS_DONE;
  around.note(`Error: ${sentence(failure)}`);
  return STATUS_FAILED;
}

function sentence(reason: string): string {
  return reason.charAt(0).toUpperCase() + reason.slice(1);
}
