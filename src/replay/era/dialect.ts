import type { JsonText } from '../../model/entry.ts';
import type { ClientStep } from '../../recorded/recorded-dialogue.ts';
import type { ConnectionReply } from '../replay-connection.ts';

/** How a message of the recording is put to the target. */
export type TranslatedMessage =
  | { readonly kind: 'said'; readonly text: JsonText }
  /** The target has answered it already. */
  | { readonly kind: 'answered'; readonly text: JsonText }
  /** There is nothing like it in the revision that the target speaks. */
  | { readonly kind: 'unsayable'; readonly reason: string };

/** Sends a request, under an id of its own, and gives its answer. */
export type SendRequest = (text: JsonText) => Promise<ConnectionReply>;

/** How a recording is replayed to a target that speaks its revision, or one of the other era. */
export interface EraDialect {
  /** Puts a message of the client. Its id is set later. */
  word(step: ClientStep, text: JsonText): TranslatedMessage;
  /** The answer of the recording that the target's answer is to be compared with. */
  expected(step: ClientStep): JsonText | undefined;
  /** Places in answers that only one of the two eras knows. */
  readonly strange: ReadonlySet<string>;
  /** Asks until there is the answer that the recorded client was given. */
  converse(step: ClientStep, text: JsonText, ask: SendRequest): Promise<ConnectionReply>;
}

/** The target speaks as the recorded server did. */
export const SAME_ERA: EraDialect = {
  word: (_, text) => ({ kind: 'said', text }),
  expected: ({ answer }) => answer?.text,
  strange: new Set(),
  converse: (_, text, ask) => ask(text),
};
