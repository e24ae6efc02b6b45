import { ObjectView } from '../../json/object-view.ts';
import { removeAt } from '../../json/splice.ts';
import type { JsonText } from '../../model/entry.ts';
import { MODERN_MEMBERS } from '../../recorded/client-facts.ts';
import type { ClientStep, RecordedDialogue } from '../../recorded/recorded-dialogue.ts';
import type { ConnectionReply } from '../replay-connection.ts';
import type { EraDialect, SendRequest, TranslatedMessage } from './dialect.ts';
import { asServerFacts, MODERN_PLACES } from './era-answers.ts';

export interface ToLegacyOptions {
  readonly dialogue: RecordedDialogue;
  /** The target's response to `initialize`. */
  readonly initialized: JsonText;
}

/** Translates a recording of 2026-07-28 for an older target, which has a handshake and sends its own requests. */
export class ToLegacy implements EraDialect {
  readonly strange: ReadonlySet<string> = MODERN_PLACES;
  readonly #options: ToLegacyOptions;
  /** Steps that retry an earlier step with the input it required. */
  readonly #retries: ReadonlySet<number>;

  constructor(options: ToLegacyOptions) {
    this.#options = options;
    this.#retries = new Set(options.dialogue.steps.flatMap(({ retriedBy }) => retriedBy ?? []));
  }

  word(step: ClientStep, text: JsonText): TranslatedMessage {
    const { method, index, answer } = step;
    if (method === 'server/discover') {
      return { kind: 'answered', text: asServerFacts(answer?.text, this.#options.initialized) };
    }
    if (method === 'subscriptions/listen') {
      return { kind: 'unsayable', reason: 'there are no streams of subscriptions before 2026-07-28' };
    }
    if (this.#retries.has(index)) {
      return { kind: 'unsayable', reason: 'what it gives was given when the target asked' };
    }
    return { kind: 'said', text: withoutModernMembers(text) };
  }

  /** For a request that required input, the last response: the older target sends only that one. */
  expected(step: ClientStep): JsonText | undefined {
    let last = step;
    while (last.retriedBy !== undefined) {
      const next = this.#options.dialogue.steps[last.retriedBy];
      if (next === undefined) break;
      last = next;
    }
    return last.answer?.text;
  }

  converse(_: ClientStep, text: JsonText, ask: SendRequest): Promise<ConnectionReply> {
    return ask(text);
  }
}

function withoutModernMembers(text: JsonText): JsonText {
  const bare = MODERN_MEMBERS.reduce((rest, key) => removeAt(rest, ['params', '_meta', key]) ?? rest, text);
  const params = ObjectView.of(bare)?.object('params');
  const isEmpty = params?.object('_meta')?.members.length === 0;
  const withoutMeta = isEmpty ? (removeAt(bare, ['params', '_meta']) ?? bare) : bare;
  const hasParams = ObjectView.of(withoutMeta)?.object('params')?.members.length !== 0;
  return hasParams ? withoutMeta : (removeAt(withoutMeta, ['params']) ?? withoutMeta);
}
