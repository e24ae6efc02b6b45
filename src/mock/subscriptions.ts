import { ObjectView } from '../json/object-view.ts';
import { spliceAt } from '../json/splice.ts';
import type { JsonText } from '../model/entry.ts';
import { withIdAt } from '../protocol/id-splice.ts';
import type { ClientStep, ServerMessage } from '../recorded/recorded-dialogue.ts';

const ID_KEY = 'io.modelcontextprotocol/subscriptionId';

/** Receives the notifications of one subscription. */
export interface SubscriptionListener {
  /** The exact text of the subscription request's id. */
  readonly id: JsonText;
  send(text: JsonText): void;
}

/** The notifications that a client of the newest revision can subscribe to, with the filter member for each. */
const SUBSCRIBED: ReadonlyMap<string, string> = new Map([
  ['notifications/tools/list_changed', 'toolsListChanged'],
  ['notifications/prompts/list_changed', 'promptsListChanged'],
  ['notifications/resources/list_changed', 'resourcesListChanged'],
  ['notifications/resources/updated', 'resourceSubscriptions'],
]);

/** The open subscriptions: those that match a recorded one, and those to an older server without subscriptions. */
export class MockSubscriptions {
  readonly #byStep = new Map<ClientStep, Set<SubscriptionListener>>();
  readonly #byFilter = new Map<SubscriptionListener, ObjectView | undefined>();

  /** Opens a subscription that the recorded client had too; returns a function that closes it. */
  add(step: ClientStep, listener: SubscriptionListener): () => void {
    const known = this.#byStep.get(step) ?? new Set();
    this.#byStep.set(step, known.add(listener));
    return () => known.delete(listener);
  }

  /** Opens a subscription to the change notifications of an older server. */
  addTo(request: JsonText, listener: SubscriptionListener): () => void {
    const filter = filterIn(request);
    this.#byFilter.set(listener, filter);
    listener.send(acknowledgement(listener.id, filter?.text ?? '{}'));
    return () => this.#byFilter.delete(listener);
  }

  /** Sends a notification to the listeners of a recorded subscription. */
  announce(text: JsonText, step: ClientStep): void {
    for (const { id, send } of this.#byStep.get(step) ?? []) send(withIdAt(text, 'notifiedSubscription', id));
  }

  /** Sends a notification to all listeners whose filter selects it. */
  announceToAll(text: JsonText, { method }: ServerMessage): void {
    const member = SUBSCRIBED.get(method ?? '');
    for (const [{ id, send }, filter] of this.#byFilter) {
      if (member !== undefined && isRequested(filter, member)) send(withSubscription(text, id));
    }
  }
}

function filterIn(request: JsonText): ObjectView | undefined {
  return ObjectView.of(request)?.object('params')?.object('notifications');
}

function isRequested(filter: ObjectView | undefined, member: string): boolean {
  const requested = filter?.textOf(member);
  return requested !== undefined && requested !== 'false' && requested !== '[]';
}

function acknowledgement(id: JsonText, filter: JsonText): JsonText {
  const params = `{"notifications":${filter},"_meta":{"${ID_KEY}":${id}}}`;
  return `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":${params}}`;
}

function withSubscription(text: JsonText, id: JsonText): JsonText {
  const steps: readonly [readonly string[], JsonText][] = [
    [['params', '_meta', ID_KEY], id],
    [['params', '_meta'], `{"${ID_KEY}":${id}}`],
    [['params'], `{"_meta":{"${ID_KEY}":${id}}}`],
  ];
  for (const [path, value] of steps) {
    const spliced = spliceAt(text, path, value);
    if (spliced !== undefined) return spliced;
  }
  return text;
}
