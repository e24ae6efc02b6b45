import { inOwnMemory } from '../../json/own-memory.ts';
import type { Direction } from '../../model/entry.ts';
import type { CallInterval } from './call-order.ts';

/** What has to be known of a call to find its like in another session. */
export interface ComparedCall extends CallInterval {
  /** The same for calls of one method, name and arguments. */
  readonly key: number;
  /** The same for calls that were answered alike. */
  readonly digest: number;
  readonly direction: Direction;
  readonly method: string;
  readonly name: string | undefined;
  readonly conversation: number;
  /** The sequences of its answers: one, or of a chain of retries several, or none. */
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

/** The calls of a session as rows of numbers: there may be millions of them, and an object each would take five times the room. */
export class CallTable {
  #rows = new Float64Array(WIDTH * 1024);
  #length = 0;
  /** The rows in the order of their requests, once that is known. */
  #order = new Uint32Array();
  readonly #kinds: CallKind[] = [];
  readonly #kindNumbers = new Map<string, number>();
  /** Answers of those calls that have more than one, or one without being over, by row. */
  readonly #answers = new Map<number, readonly number[]>();
  readonly #cancelled = new Set<number>();

  get length(): number {
    return this.#length;
  }

  /** Takes a call, in any order. */
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

  /** Puts the calls into the order of their requests, which all places count by. */
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
    if (kind === undefined) throw new RangeError(`There is no call ${place}`);
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
    // Names are parts of messages, which they would keep alive.
    const own = name === undefined ? undefined : inOwnMemory(name);
    this.#kinds.push({ direction, method: inOwnMemory(method), name: own });
    this.#kindNumbers.set(key, this.#kinds.length - 1);
    return this.#kinds.length - 1;
  }
}
