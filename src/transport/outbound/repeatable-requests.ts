import { elementTexts, ObjectView } from '../../json/object-view.ts';
import { sliceAt } from '../../json/splice.ts';
import type { JsonText } from '../../model/entry.ts';
import { objectsOf, textsOf } from '../../protocol/rpc-body.ts';
import type { OutboundMessage } from './outbound.ts';

/** Requests that change nothing, or that have the same effect if they are sent twice. */
const REPEATABLE =
  /^(?:ping|logging\/setLevel|completion\/complete|(?:tools|prompts|resources|resources\/templates|tasks)\/list|prompts\/get|resources\/(?:read|subscribe|unsubscribe)|tasks\/(?:get|result))$/;

/** Decides which requests may be sent twice. For a tool call, the annotations of the tool decide. */
export class RepeatableRequests {
  readonly #tools = new Set<string>();

  /** Learns from the answer to `tools/list`. A later list replaces what an earlier one says about a tool. */
  learn(answer: JsonText): void {
    for (const listed of elementTexts(sliceAt(answer, ['result', 'tools']) ?? '') ?? []) {
      const tool = ObjectView.of(listed);
      const name = tool?.string('name');
      if (name === undefined) continue;
      const hints = tool?.object('annotations');
      const isRepeatable = hints?.value('readOnlyHint') === true || hints?.value('idempotentHint') === true;
      if (isRepeatable) this.#tools.add(name);
      else this.#tools.delete(name);
    }
  }

  /** Why a message must not be sent again; `undefined` if it may. */
  objectionTo({ text, requests }: OutboundMessage): string | undefined {
    const other = requests.find(({ method }) => method !== 'tools/call' && !REPEATABLE.test(method));
    if (other !== undefined) return `${other.method} may not be idempotent`;
    const body = objectsOf(text);
    for (const message of body === undefined ? [] : textsOf(body)) {
      const view = ObjectView.of(message);
      if (view?.string('method') !== 'tools/call') continue;
      const name = view.object('params')?.string('name') ?? '';
      if (!this.#tools.has(name)) return `the tool ${JSON.stringify(name)} is not marked as idempotent or read-only`;
    }
    return undefined;
  }
}
