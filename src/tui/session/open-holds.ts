import { ObjectView } from '../../json/object-view.ts';
import type { Entry } from '../../model/entry.ts';
import type { HeldFacts } from './held-messages.ts';

/** Collects the messages that a recording shows as held but not as released. */
export class OpenHolds {
  readonly #open = new Map<string, HeldFacts>();

  take(entries: readonly Entry[]): void {
    for (const entry of entries) {
      if (entry.kind === 'message') this.#open.delete(entry.proxyId);
      else if (entry.kind === 'event' && entry.event === 'mcpreel.action') this.#note(entry);
    }
  }

  /** The messages still held, in order of arrival. */
  get facts(): readonly HeldFacts[] {
    return [...this.#open.values()];
  }

  #note({ raw, atMs, conversation = 0 }: Extract<Entry, { kind: 'event' }>): void {
    const sent = ObjectView.of(raw);
    const action = sent?.string('action');
    const id = sent?.string('of');
    const text = sent?.textOf('text');
    if (id === undefined) return;
    if (action === 'release') this.#open.delete(id);
    else if (action === 'hold' && text !== undefined) {
      const direction = sent?.string('dir') === 'out' ? 'server_to_client' : 'client_to_server';
      this.#open.set(id, { id, direction, text, atMs, untilMs: atMs, conversation, rule: sent?.string('rule') });
    }
  }
}
