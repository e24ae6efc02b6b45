import type { JsonText } from '../../model/entry.ts';

/** An event stream on which we may say something to a client. */
export interface OpenStream {
  readonly conversation: number;
  /** Whether the client opened it to listen, and not for the answer to something that it said. */
  readonly isListening: boolean;
  inject(text: JsonText): void;
}
