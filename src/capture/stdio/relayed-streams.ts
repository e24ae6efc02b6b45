import { type Direction, opposite, side } from '../../model/entry.ts';
import { ReelError } from '../../model/errors.ts';
import { type ForwardedCopy, type Gate, openGate, type RelayPassage, relay } from '../../proxy/stdio/relay.ts';
import { StdioGate } from '../../proxy/stdio/stdio-gate.ts';
import type { TrafficLog } from '../../record/journal/traffic-log.ts';
import type { StdioStream } from '../../record/stdio-traffic.ts';
import { flushed } from '../../transport/flushed.ts';
import type { TargetProcess } from '../../transport/process/target-process.ts';
import { closeWhenRead } from '../../transport/read-all-sent.ts';
import type { StdioDeps } from '../capture-options.ts';
import type { LiveSession } from '../live-session.ts';

export interface StreamOptions {
  /** mcpreel's own streams, which the client uses. */
  readonly client: Pick<StdioDeps, 'stdin' | 'closeStdin' | 'stdout' | 'stderr' | 'closeStdout'>;
  readonly target: Pick<TargetProcess, 'stdin' | 'stdout' | 'stderr' | 'release' | 'exited'>;
  readonly session: LiveSession;
  readonly log: TrafficLog;
  readonly maxMessageBytes: number;
  readonly nowMs: () => number;
}

export interface RelayedStreams {
  /** Resolves when the client's input has ended, or the server accepts no more. */
  readonly inputEnded: Promise<void>;
  /** Resolves when all server output has left this process, or the client is gone. */
  readonly outputsEnded: Promise<unknown>;
  /** Records what the client has sent until now, and the remains of unfinished lines. Then stdin is closed. */
  finish(): Promise<void>;
}

/** Relays stdin, stdout and stderr of a stdio server, and logs what passes. */
export function relayStreams(options: StreamOptions): RelayedStreams {
  const { client, target, session, log, nowMs } = options;
  const gates = new StdioGates(options);

  const clientGate = gates.gateFor('client_to_server');
  const closeInput = async (atOnce = false): Promise<void> => {
    const { stdin, closeStdin } = client;
    const isRead = atOnce ? closeStdin(true) : await closeWhenRead(stdin, closeStdin);
    if (!isRead) session.recordUnread();
  };
  const inputEnded = relay(client.stdin, target.stdin, clientGate, (atOnce) => void closeInput(atOnce)).then(
    () => void target.stdin.end(),
  );
  const stdoutEnded = relay(target.stdout, client.stdout, gates.gateFor('server_to_client'))
    // A request that is still held gets an answer of mcpreel, at the latest when the server has exited.
    .then(() => Promise.race([gates.clientIsClear(), target.exited.then(() => session.interception.release())]))
    .then(() => flushed(client.stdout))
    .then(client.closeStdout);
  const stderrEnded = relay(target.stderr, client.stderr, openGate(nowMs, copyTo(log, 'err'))).then(() =>
    flushed(client.stderr),
  );
  target.release();
  return {
    inputEnded,
    outputsEnded: Promise.all([stdoutEnded, stderrEnded]),
    async finish() {
      // From then on, the client's writes fail, so that it knows what was not read.
      await closeInput();
      for (const stream of ['in', 'out', 'err'] as const) log.end(stream, nowMs());
    },
  };
}

function copyTo(log: TrafficLog, stream: StdioStream): ForwardedCopy {
  return { goesFirst: log.goesFirst, push: (chunk, atMs) => log.bytes(stream, chunk, atMs) };
}

/** The gates of both directions. Each one injects answers through the other. */
class StdioGates {
  readonly #options: StreamOptions;
  readonly #gates = new Map<Direction, StdioGate>();

  constructor(options: StreamOptions) {
    this.#options = options;
    options.session.interception.injector = (direction, text) => this.#inject(direction, text);
  }

  gateFor(direction: Direction): (passage: RelayPassage) => Gate {
    const { session, log, maxMessageBytes, nowMs } = this.#options;
    const { interceptor, outOfOrder } = session.interception;
    return (passage) => {
      const gate = new StdioGate(
        {
          direction,
          interceptor,
          nowMs,
          maxMessageBytes,
          outOfOrder,
          copy: copyTo(log, side(direction)),
          onSettled: (settled) => log.act({ kind: 'settled', direction, settled }, nowMs()),
          onUnsent: () => session.recordAction({ action: 'undelivered', dir: side(direction) }),
          answer: (text) => this.#inject(opposite(direction), text),
          replace: (text) => this.#inject(direction, text),
        },
        passage,
      );
      this.#gates.set(direction, gate);
      return gate;
    };
  }

  /** Resolves when no message of the client is held. */
  async clientIsClear(): Promise<void> {
    await this.#gates.get('client_to_server')?.isClear;
  }

  #inject(direction: Direction, text: string): void {
    const { log, nowMs } = this.#options;
    const gate = this.#gates.get(direction);
    if (gate === undefined) throw new ReelError('session-live', 'The session has not started');
    gate.inject(text, () => log.act({ kind: 'injected', direction, text }, nowMs()));
  }
}
