import type { JsonText } from '../../model/entry.ts';
import type { ClientStep } from '../../recorded/recorded-dialogue.ts';
import type { ConnectionReply } from '../replay-connection.ts';

/** A recorded client message, translated for the target's protocol revision. */
export type TranslatedMessage =
  | { readonly kind: 'said'; readonly text: JsonText }
  /** mcpreel already has the target's response. */
  | { readonly kind: 'answered'; readonly text: JsonText }
  /** The target's protocol revision has no equivalent. */
  | { readonly kind: 'unsayable'; readonly reason: string };

/** Sends a request under a new id and resolves with its outcome. */
export type SendRequest = (text: JsonText) => Promise<ConnectionReply>;

/** Translates a recording for a target of the same protocol era or the other one. */
export interface EraDialect {
  /** Translates a client message. Its id is set later. */
  word(step: ClientStep, text: JsonText): TranslatedMessage;
  /** The recorded response to compare the target's response with. */
  expected(step: ClientStep): JsonText | undefined;
  /** Paths in responses that exist in only one of the two eras. */
  readonly strange: ReadonlySet<string>;
  /** Sends a request, with retries if the target requires input, until the response is final. */
  converse(step: ClientStep, text: JsonText, ask: SendRequest): Promise<ConnectionReply>;
}

/** The target speaks the recorded era, so nothing is translated. */
export const SAME_ERA: EraDialect = {
  word: (_, text) => ({ kind: 'said', text }),
  expected: ({ answer }) => answer?.text,
  strange: new Set(),
  converse: (_, text, ask) => ask(text),
};
