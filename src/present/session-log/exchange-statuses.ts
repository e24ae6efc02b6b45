import { ObjectView } from '../../json/object-view.ts';
import { NumberColumn } from './number-column.ts';

/** Exchanges without an end so far whose messages are remembered. */
const MAX_OPEN = 100_000;
/** Exchanges are numbered from 0 without gaps, so far larger numbers are not mcpreel's. */
const MAX_NUMBER = 1 << 28;

/** The status of each HTTP exchange, and the messages of those that are still open. */
export class ExchangeStatuses {
  readonly #statuses = new NumberColumn((length) => new Uint16Array(length));
  /** The indexes of the events that end them, plus 1. */
  readonly #places = new NumberColumn((length) => new Uint32Array(length));
  readonly #otherPlaces = new Map<number, number>();
  readonly #otherStatuses = new Map<number, number>();
  readonly #open = new Map<number, number[]>();
  #largest = 0;

  add(exchange: number, index: number): void {
    const others = this.#open.get(exchange);
    if (others !== undefined) {
      others.push(index);
      return;
    }
    this.#open.set(exchange, [index]);
    const [oldest] = this.#open.size > MAX_OPEN ? this.#open.keys() : [];
    if (oldest !== undefined) this.#open.delete(oldest);
  }

  /** Ends an exchange with the event at this index; returns the indexes of its messages. */
  end(raw: string, index: number): readonly number[] {
    const event = ObjectView.of(raw);
    const exchange = event?.number('exchange');
    const status = event?.number('status');
    if (event === undefined || exchange === undefined) return [];
    const isNear = this.#isNear(exchange);
    if (isNear) this.#largest = Math.max(this.#largest, exchange);
    // A bridge also has exchanges with its target, with numbers of their own.
    if (!event.has('side')) {
      if (isNear) this.#places.set(exchange, index + 1);
      else this.#otherPlaces.set(exchange, index);
    }
    if (status === undefined) return [];
    if (isNear && Number.isInteger(status) && status > 0 && status < 1 << 16) this.#statuses.set(exchange, status);
    else this.#otherStatuses.set(exchange, status);
    const messages = this.#open.get(exchange) ?? [];
    this.#open.delete(exchange);
    return messages;
  }

  placeOf(exchange: number): number | undefined {
    const place = this.#otherPlaces.get(exchange);
    if (place !== undefined || !(exchange >= 0 && exchange < MAX_NUMBER)) return place;
    const near = this.#places.get(exchange);
    return near === 0 ? undefined : near - 1;
  }

  statusOf(exchange: number): number | undefined {
    const status = this.#otherStatuses.get(exchange);
    if (status !== undefined || !(exchange >= 0 && exchange < MAX_NUMBER)) return status;
    return this.#statuses.get(exchange) || undefined;
  }

  /** A column with wide gaps would take more memory than a map. */
  #isNear(exchange: number): boolean {
    return Number.isInteger(exchange) && exchange >= 0 && exchange < Math.min(MAX_NUMBER, this.#largest + (1 << 20));
  }
}
