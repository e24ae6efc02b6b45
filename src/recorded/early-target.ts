import type { Entry } from '../model/entry.ts';
import type { RecordedSession } from '../model/session.ts';
import { envelopeOf } from '../protocol/envelope.ts';
import type { TargetProcess } from '../transport/process/target-process.ts';

/**
 * Starts the server while its recording is still being read. Both take time, and neither needs the other before the
 * first message is sent.
 */
export class EarlyTarget {
  readonly #start: () => Promise<TargetProcess>;
  #waiting: Promise<TargetProcess> | undefined;

  constructor(start: () => Promise<TargetProcess>) {
    this.#start = start;
  }

  /** The same session; reading its first message that could be sent starts the server. */
  startWith(session: RecordedSession): RecordedSession {
    let isAwaited = true;
    const look = (batch: readonly Entry[]): void => {
      if (!isAwaited || !batch.some(isSendable)) return;
      isAwaited = false;
      this.#begin();
    };
    return {
      ...session,
      async *batches() {
        for await (const batch of session.batches()) {
          look(batch);
          yield batch;
        }
      },
    };
  }

  #begin(): void {
    const started = this.#start();
    this.#waiting = started;
    void started.then(async (target) => {
      await target.exited;
      if (this.#waiting !== started) return;
      // The next caller starts it again and gets the reason why it exits.
      this.#waiting = undefined;
      for (const stream of [target.stdin, target.stdout, target.stderr]) stream.destroy();
    });
  }

  /** The server that was started early, for the first caller. Later callers get a new one. */
  take(): Promise<TargetProcess> {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    return waiting ?? this.#start();
  }

  /** Stops the server if no caller has taken it. */
  async close(): Promise<void> {
    const waiting = this.#waiting;
    if (waiting === undefined) return;
    this.#waiting = undefined;
    const { openStdioLink } = await import('../transport/outbound/stdio-link.ts');
    const nobody = { onMessage: ignore, onLine: ignore, onExchange: ignore, onEnd: ignore };
    await openStdioLink({ start: () => waiting }, nobody).close();
  }
}

function isSendable(entry: Entry): boolean {
  if (entry.kind !== 'message' || entry.direction !== 'client_to_server') return false;
  const { kind } = envelopeOf(entry);
  return kind === 'request' || kind === 'notification';
}

function ignore(): void {
  // No message was sent to this server, so its output is ignored.
}
