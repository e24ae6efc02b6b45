import { type Direction, type Entry, opposite } from '../../model/entry.ts';
import { ReelError } from '../../model/errors.ts';
import { objectsOf } from '../../protocol/rpc-body.ts';
import type { Gate, RelayPassage } from '../../proxy/stdio/relay.ts';
import { StdioGate } from '../../proxy/stdio/stdio-gate.ts';
import type { SteeredSession } from '../steered-session.ts';

export interface StdioGatesOptions {
  readonly session: SteeredSession;
  readonly maxMessageBytes: number;
  readonly nowMs: () => number;
}

/** Receives the copy of a stream. */
interface GateCopy {
  push(chunk: Uint8Array, atMs: number): void;
}

/** Creates the gates for both directions of a stdio session. Each one injects answers through the other. */
export class StdioGates {
  readonly #options: StdioGatesOptions;
  readonly #gates = new Map<Direction, StdioGate>();

  constructor(options: StdioGatesOptions) {
    this.#options = options;
    options.session.interception.injector = (direction, text) => this.#inject(direction, text);
  }

  gateFor(direction: Direction, copy: GateCopy): (passage: RelayPassage) => Gate {
    const { session, maxMessageBytes, nowMs } = this.#options;
    const { interception, maker } = session;
    return (passage) => {
      const gate = new StdioGate(
        {
          direction,
          interceptor: interception.interceptor,
          nowMs,
          maxMessageBytes,
          outOfOrder: interception.outOfOrder,
          look: (bytes, atMs) => copy.push(bytes, atMs),
          onJudged(frame, way, atMs) {
            const entries: Entry[] = [];
            maker.addJudged(frame, way, atMs, entries);
            session.append(entries);
          },
          answer: (text) => this.#inject(opposite(direction), text),
        },
        passage,
      );
      this.#gates.set(direction, gate);
      return gate;
    };
  }

  #inject(direction: Direction, text: string): void {
    const gate = this.#gates.get(direction);
    if (gate === undefined) throw new ReelError('session-live', 'The session has not begun');
    gate.inject(text, () => this.#recordOwn(direction, text));
  }

  #recordOwn(direction: Direction, text: string): void {
    const { session, nowMs } = this.#options;
    const entries: Entry[] = [];
    const frame = objectsOf(text) ?? { kind: 'noise', text };
    session.maker.addFrame(frame, direction, nowMs(), entries, { injected: true });
    session.append(entries);
  }
}
