import { setTimeout as delay } from 'node:timers/promises';
import type { SseItem } from '../../protocol/sse/sse-stream.ts';
import type { HeaderPair } from '../http/http-target.ts';
import { LinkAnswer } from './link-answer.ts';
import type { LinkExchanges } from './link-exchanges.ts';
import type { LinkFailure } from './own-answer.ts';
import type { StreamPosition } from './stream-position.ts';

export interface FollowedStream {
  readonly exchanges: LinkExchanges;
  readonly position: StreamPosition;
  /** Additional headers for the GET request. */
  readonly headers: () => readonly HeaderPair[];
  readonly onItem: (item: SseItem, exchange: number) => void;
  /** Whether no more events are expected. */
  readonly isDone: () => boolean;
  /** Ends the stream at once. */
  readonly signal: AbortSignal;
  /** How many consecutive attempts may fail. */
  readonly maxFailures: number;
}

/** HTTP statuses after which a retry may succeed. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/**
 * Reads a server's event stream by GET, and reconnects at the last event id whenever it ends. Resolves with the failure
 * that stopped it, or with `undefined` once the stream is done or aborted.
 */
export async function followStream(stream: FollowedStream): Promise<LinkFailure | undefined> {
  const { position, isDone, signal, maxFailures } = stream;
  for (let failures = 0, idle = 0; ; ) {
    const { failure, isFinal, came } = await attempt(stream);
    if (signal.aborted || isDone()) return undefined;
    if (failure === undefined) failures = 0;
    else if (isFinal || ++failures > maxFailures) return failure;
    idle = came ? 0 : idle + 1;
    await waitFor(failure === undefined ? position.idleDelayMs(idle) : position.delayMs(failures - 1), signal);
    if (signal.aborted || isDone()) return undefined;
  }
}

/** Waits, or returns early if the signal aborts. */
export async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}

interface StreamAttempt {
  readonly failure?: LinkFailure | undefined;
  /** Whether a retry is pointless. */
  readonly isFinal?: boolean;
  /** Whether events arrived. */
  readonly came?: boolean;
}

async function attempt({
  exchanges,
  position,
  headers,
  onItem,
  isDone,
  signal,
}: FollowedStream): Promise<StreamAttempt> {
  const { lastEventId } = position;
  // Node encodes headers as latin1, so an id beyond ASCII is sent as its UTF-8 bytes.
  const place: HeaderPair[] =
    lastEventId === undefined ? [] : [['Last-Event-ID', Buffer.from(lastEventId).toString('latin1')]];
  let result: StreamAttempt = {};
  const running = exchanges.begin(
    { method: 'GET', headers: [['Accept', 'text/event-stream'], ...headers(), ...place] },
    async (answer) => {
      if (!(answer instanceof LinkAnswer)) {
        result = { failure: answer };
        return answer;
      }
      if (!answer.isOk || !answer.isEventStream) {
        await answer.text();
        const failure = answer.isOk ? answer.failure('no event stream') : answer.statusFailure();
        result = { failure, isFinal: !PASSING.has(answer.status) };
        return hasNone(answer) ? undefined : failure;
      }
      const broken = await answer.events((item) => {
        result = { came: true };
        position.note(item);
        onItem(item, answer.exchange);
        if (isDone()) running.abort();
      });
      return broken;
    },
  );
  const abort = (): void => running.abort();
  signal.addEventListener('abort', abort);
  await running.over;
  signal.removeEventListener('abort', abort);
  return result;
}

/** A server without such a stream responds with one of these statuses, which is not an error. */
function hasNone({ status }: LinkAnswer): boolean {
  return status === 404 || status === 405;
}
