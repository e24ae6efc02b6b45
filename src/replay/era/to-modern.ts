import { ObjectView } from '../../json/object-view.ts';
import { sliceAt, spliceAt } from '../../json/splice.ts';
import type { JsonText } from '../../model/entry.ts';
import { type ClientFacts, modernMembers } from '../../recorded/client-facts.ts';
import type { ClientStep } from '../../recorded/recorded-dialogue.ts';
import type { ConnectionReply } from '../replay-connection.ts';
import { requestText } from '../reply-policy.ts';
import type { EraDialect, SendRequest, TranslatedMessage } from './dialect.ts';
import { asServerFacts, MODERN_PLACES } from './era-answers.ts';

export interface ToModernOptions {
  readonly facts: ClientFacts;
  /** The target's response to `server/discover`. */
  readonly discovered: JsonText;
  /** The recorded client's result for a server request, if any. */
  readonly resultFor: (text: JsonText, method: string) => JsonText | undefined;
}

/** The target may require input for one request at most this many times. */
const MAX_ROUNDS = 32;

const UNKNOWN: ReadonlyMap<string | undefined, string> = new Map([
  ['notifications/initialized', 'there is no handshake'],
  ['notifications/roots/list_changed', 'roots are sent on request'],
  ['ping', 'there is no ping'],
  ['logging/setLevel', 'each request has its log level'],
  ['resources/subscribe', 'subscriptions are streams'],
  ['resources/unsubscribe', 'subscriptions are streams'],
]);

/** Translates a recording with a handshake for a target of 2026-07-28, which has none. */
export class ToModern implements EraDialect {
  readonly strange: ReadonlySet<string> = MODERN_PLACES;
  readonly #options: ToModernOptions;
  #logLevel: JsonText | undefined;

  constructor(options: ToModernOptions) {
    this.#options = options;
  }

  word(step: ClientStep, text: JsonText): TranslatedMessage {
    const { method, answer } = step;
    if (method === 'initialize') {
      return { kind: 'answered', text: asServerFacts(answer?.text, this.#options.discovered) };
    }
    if (method === 'logging/setLevel') this.#logLevel = sliceAt(text, ['params', 'level']);
    const reason = UNKNOWN.get(method);
    if (reason !== undefined) return { kind: 'unsayable', reason: `${reason} in 2026-07-28` };
    return { kind: 'said', text: step.kind === 'request' ? this.#withMeta(text) : text };
  }

  expected({ answer }: ClientStep): JsonText | undefined {
    return answer?.text;
  }

  /**
   * Retries with the recorded input until the result is complete. The recorded server got this input by its own
   * requests.
   */
  async converse(_: ClientStep, text: JsonText, ask: SendRequest): Promise<ConnectionReply> {
    let reply = await ask(text);
    for (let round = 0; round < MAX_ROUNDS && reply.kind === 'answer'; round++) {
      const result = ObjectView.of(reply.text)?.object('result');
      if (result?.string('resultType') !== 'input_required') break;
      const given = this.#inputFor(result.object('inputRequests'));
      if (typeof given !== 'string') return { kind: 'refused', reason: given.reason, isReached: true };
      const withInput = spliceAt(text, ['params', 'inputResponses'], given) ?? text;
      const state = result.textOf('requestState');
      reply = await ask(
        state === undefined ? withInput : (spliceAt(withInput, ['params', 'requestState'], state) ?? ''),
      );
    }
    return reply;
  }

  #inputFor(requests: ObjectView | undefined): JsonText | { readonly reason: string } {
    const members: string[] = [];
    for (const { key } of requests?.members ?? []) {
      const request = requests?.object(key);
      const method = request?.string('method') ?? '';
      const result = this.#options.resultFor(requestText(method, request?.textOf('params') ?? '{}'), method);
      if (result === undefined) return { reason: `the recording has no response to ${method}` };
      members.push(`${JSON.stringify(key)}:${result}`);
    }
    return `{${members.join(',')}}`;
  }

  #withMeta(text: JsonText): JsonText {
    const members = modernMembers(this.#options.facts, this.#logLevel);
    const params = ObjectView.of(text)?.object('params');
    if (params === undefined) return spliceAt(text, ['params'], `{"_meta":{${members}}}`) ?? text;
    const meta = params.textOf('_meta');
    const rest = meta === undefined || /^\{\s*\}$/.test(meta) ? '' : `,${meta.slice(1, -1)}`;
    return spliceAt(text, ['params', '_meta'], `{${members}${rest}}`) ?? text;
  }
}
