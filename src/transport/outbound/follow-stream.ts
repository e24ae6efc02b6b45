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
  /** The headers beside those that ask for a stream and its place. */
  readonly headers: () => readonly HeaderPair[];
  readonly onItem: (item: SseItem, exchange: number) => void;
  /** Whether nothing more is expected of it. */
  readonly isDone: () => boolean;
  /** Ends it at once. */
  readonly signal: AbortSignal;
  /** How many attempts in a row may fail. */
  readonly maxFailures: number;
}

/** Statuses that say that it may work later. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/**
 * Reads an event stream of the server's by GET, from where it was left, as often as it ends. Resolves with why that is not
 * possible, or with nothing once no more of it is wanted.
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

/** Waits; an end of it all ends that, too. */
export async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}

interface StreamAttempt {
  readonly failure?: LinkFailure | undefined;
  /** Whether there is no point in another one. */
  readonly isFinal?: boolean;
  /** Whether there were events. */
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
  // A header is bytes to Node, and what an id has beyond ASCII goes as UTF-8.
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

/** A server that has no such stream says so, and that is fine. */
function hasNone({ status }: LinkAnswer): boolean {
  return status === 404 || status === 405;
}
