import { decodeString } from '../../json/scan.ts';
import type { MessageEntry } from '../../model/entry.ts';
import { envelopeOf } from '../../protocol/envelope.ts';
import { MAX_ORPHANS_NAMED } from './import-semantics.ts';
import type { OrphanEvent } from './normalised-event.ts';

/** Counts the responses without a request and the calls without a response, by the links that a recording contains. */
export class RecordedLinks {
  orphanCount = 0;
  readonly orphans: OrphanEvent[] = [];
  /** The proxy ids of open requests, and whether they are tool calls. */
  readonly #open = new Map<string, boolean>();
  #pending = 0;

  /** The number of tool calls without a response. */
  get pending(): number {
    return this.#pending;
  }

  take(message: MessageEntry): void {
    const { kind, id, method } = envelopeOf(message);
    if (kind === 'request') this.#request(message.proxyId, method === 'tools/call');
    if (kind !== 'response' || this.#answers(message.correlatedId)) return;
    this.orphanCount++;
    const sourceLine = message.sourceLine ?? message.sequence + 1;
    const shownId = id?.startsWith('"') ? decodeString(id) : (id ?? null);
    if (this.orphans.length < MAX_ORPHANS_NAMED) this.orphans.push({ id: shownId, sourceLine });
  }

  #request(proxyId: string, isCall: boolean): void {
    this.#open.set(proxyId, isCall);
    if (isCall) this.#pending++;
  }

  #answers(correlatedId: string | undefined): boolean {
    const isCall = correlatedId === undefined ? undefined : this.#open.get(correlatedId);
    if (correlatedId === undefined || isCall === undefined) return false;
    this.#open.delete(correlatedId);
    if (isCall) this.#pending--;
    return true;
  }
}
