import type { JsonText } from '../../model/entry.ts';

/** An event stream on which mcpreel can inject messages for a client. */
export interface OpenStream {
  readonly conversation: number;
  /** Whether the client opened it with GET, and not as the response to a message. */
  readonly isListening: boolean;
  inject(text: JsonText): void;
}
