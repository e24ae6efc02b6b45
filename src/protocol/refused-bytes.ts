import type { Direction, JsonText } from '../model/entry.ts';
import { errorAnswer } from './answer-text.ts';
import { EnvelopeScan } from './envelope-scan.ts';

/** The errors that take the place of refused bytes. */
export interface RefusalAnswers {
  /** For the side that sent the bytes: a request in them will not be answered. */
  readonly toSender: readonly JsonText[];
  /** For the side that waits for a response in them. */
  readonly toReceiver: readonly JsonText[];
}

/** Bytes that are not forwarded because they cannot be judged. Finds out who waits for the messages in them. */
export class RefusedBytes {
  readonly #scan = new EnvelopeScan();
  readonly #direction: Direction;
  readonly #why: string;

  constructor(direction: Direction, why: string) {
    this.#direction = direction;
    this.#why = why;
  }

  push(bytes: Uint8Array): void {
    this.#scan.push(bytes);
  }

  /** The bytes are complete. A client is answered even if no id was found, because it may wait for a response. */
  end(): RefusalAnswers {
    const found = this.#scan.end();
    const answersTo = (kind: 'request' | 'response', what: string): JsonText[] =>
      found.flatMap((envelope) =>
        envelope.kind === kind && envelope.id !== undefined
          ? [errorAnswer(envelope.id, `${what} was not forwarded: ${this.#why}`)]
          : [],
      );
    const toSender = answersTo('request', 'the request');
    const toReceiver = answersTo('response', 'the response');
    const isUnanswered = this.#direction === 'client_to_server' && toSender.length + toReceiver.length === 0;
    return {
      toSender: isUnanswered ? [errorAnswer('null', `a line was not sent: ${this.#why}`)] : toSender,
      toReceiver,
    };
  }
}
