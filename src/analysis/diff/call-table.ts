import { inOwnMemory } from '../../json/own-memory.ts';
import type { Direction } from '../../model/entry.ts';
import type { CallInterval } from './call-order.ts';

/** The data of a call that is needed to match it with a call of another session. */
export interface ComparedCall extends CallInterval {
  /** Equal for calls with the same method, name and arguments. */
  readonly key: number;
  /** Equal for calls with the same responses. */
  readonly digest: number;
  readonly direction: Direction;
  readonly method: string;
  readonly name: string | undefined;
  readonly conversation: number;
  /** The sequences of its responses: none, one, or several in a chain of retries. */
  readonly answers: readonly number[];
  readonly isCancelled: boolean;
}

type CallKind = Pick<ComparedCall, 'direction' | 'method' | 'name'>;

const KEY = 0;
const DIGEST = 1;
const START = 2;
const END = 3;
const CONVERSATION = 4;
const KIND = 5;
const WIDTH = 6;

/**
 * The calls of a session as rows of numbers. There may be millions, and an object per call would take five times the
 * memory.
 */
export class CallTable {
  #rows = new Float64Array(WIDTH * 1024);
  #length = 0;
  /** The rows in request order, after `sort`. */
  #order = new Uint32Array();
  readonly #kinds: CallKind[] = [];
  readonly #kindNumbers = new Map<string, number>();
  /** The responses, by row, of calls that have several, or one without having ended. */
  readonly #answers = new Map<number, readonly number[]>();
  readonly #cancelled = new Set<number>();

  get length(): number {
    return this.#length;
  }

  /** Adds a call; calls may be added in any order. */
  add(call: ComparedCall): void {
    const row = this.#length++;
    if (this.#rows.length < this.#length * WIDTH) {
      const grown = new Float64Array(this.#rows.length * 2);
      grown.set(this.#rows);
      this.#rows = grown;
    }
    const { key, digest, start, end, conversation, answers, isCancelled } = call;
    this.#rows.set([key, digest, start, end, conversation, this.#kindOf(call)], row * WIDTH);
    const isPlain = end === Infinity ? answers.length === 0 : answers.length === 1 && answers[0] === end;
    if (!isPlain) this.#answers.set(row, answers);
    if (isCancelled) this.#cancelled.add(row);
  }

  /** Sorts the calls by request. Indexes (`place`) refer to this order. */
  sort(): void {
    this.#order = Uint32Array.from({ length: this.#length }, (_, row) => row);
    this.#order.sort((one, other) => this.#cell(one, START) - this.#cell(other, START));
  }

  keys(): Float64Array {
    return Float64Array.from(this.#order, (row) => this.#cell(row, KEY));
  }

  digestAt(place: number): number {
    return this.#cell(this.#rowAt(place), DIGEST);
  }

  at(place: number): ComparedCall {
    const row = this.#rowAt(place);
    const end = this.#cell(row, END);
    const kind = this.#kinds[this.#cell(row, KIND)];
    if (kind === undefined) throw new RangeError(`No call ${place}`);
    return {
      ...kind,
      key: this.#cell(row, KEY),
      digest: this.#cell(row, DIGEST),
      start: this.#cell(row, START),
      end,
      conversation: this.#cell(row, CONVERSATION),
      answers: this.#answers.get(row) ?? (end === Infinity ? [] : [end]),
      isCancelled: this.#cancelled.has(row),
    };
  }

  #rowAt(place: number): number {
    return this.#order[place] ?? -1;
  }

  #cell(row: number, column: number): number {
    return this.#rows[row * WIDTH + column] ?? -1;
  }

  #kindOf({ direction, method, name }: CallKind): number {
    const key = JSON.stringify([direction, method, name]);
    const known = this.#kindNumbers.get(key);
    if (known !== undefined) return known;
    // Copied, because a slice would keep its whole message in memory.
    this.#kinds.push({ direction, method: inOwnMemory(method), name: inOwnMemory(name) });
    this.#kindNumbers.set(key, this.#kinds.length - 1);
    return this.#kinds.length - 1;
  }
}
