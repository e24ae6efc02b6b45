import type { Envelope, JsonText, MessageKind } from '../model/entry.ts';

/** The kind and id of an object; its method is not kept. */
export type ScannedEnvelope = Pick<Envelope, 'kind' | 'id'>;

/** Longer keys and ids are not kept. */
const MAX_KEPT_BYTES = 1024;

/** Of text with more objects, only the first ones are kept. */
const MAX_ENVELOPES = 1000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;

/**
 * Finds the envelopes of the objects in bytes that are not kept, such as a message beyond `--max-message`. It reads
 * chunks of any size, and tolerates text that is not JSON.
 */
export class EnvelopeScan {
  readonly #found: ScannedEnvelope[] = [];
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #isAtKey = false;
  /** The bytes of the key or id being read; `undefined` if nothing is kept. */
  #kept: number[] | undefined;
  #key = '';
  #id: JsonText | undefined;
  #hasMethod = false;
  #isAnswer = false;

  push(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (this.#isInString) this.#takeInString(byte);
      else this.#take(byte);
    }
  }

  /** The envelopes of all objects so far, including one that was cut off. */
  end(): readonly ScannedEnvelope[] {
    if (this.#depth > 0) this.#finishObject();
    this.#depth = 0;
    return this.#found;
  }

  #takeInString(byte: number): void {
    this.#kept?.push(byte);
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) {
      this.#isInString = false;
      if (this.#depth === 1 && this.#isAtKey) this.#finishKey();
    } else if (this.#kept !== undefined && this.#kept.length > MAX_KEPT_BYTES) this.#kept = undefined;
  }

  #take(byte: number): void {
    switch (byte) {
      case QUOTE:
        this.#isInString = true;
        if (this.#depth === 1 && this.#isAtKey) this.#kept = [byte];
        else this.#kept?.push(byte);
        break;
      case OPEN_OBJECT:
      case OPEN_LIST:
        this.#open(byte);
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        this.#close();
        break;
      case COLON:
        if (this.#depth === 1 && !this.#isAtKey) this.#startValue();
        break;
      case COMMA:
        if (this.#depth === 1) this.#finishValue();
        break;
      default:
        this.#kept?.push(byte);
    }
  }

  #open(byte: number): void {
    // A list outside of objects is a batch.
    if (this.#depth === 0 && byte === OPEN_LIST) return;
    this.#depth++;
    this.#kept = undefined;
    if (this.#depth === 1) this.#isAtKey = true;
  }

  #close(): void {
    if (this.#depth === 0) return;
    if (this.#depth === 1) this.#finishObject();
    this.#depth--;
  }

  #finishKey(): void {
    this.#isAtKey = false;
    const key = parsed(this.#takeKept());
    this.#key = typeof key === 'string' ? key : '';
  }

  #startValue(): void {
    if (this.#key === 'id') this.#kept = [];
    else if (this.#key === 'method') this.#hasMethod = true;
    else if (this.#key === 'result' || this.#key === 'error') this.#isAnswer = true;
    this.#key = '';
  }

  #finishValue(): void {
    const written = this.#takeKept();
    const id = parsed(written);
    if (typeof id === 'string' || typeof id === 'number') this.#id = written.trim();
    this.#isAtKey = true;
  }

  #finishObject(): void {
    this.#finishValue();
    const withMethod: MessageKind = this.#id === undefined ? 'notification' : 'request';
    const kind = this.#hasMethod ? withMethod : this.#isAnswer ? 'response' : 'invalid';
    if (this.#found.length < MAX_ENVELOPES) this.#found.push({ kind, id: this.#id });
    this.#id = undefined;
    this.#hasMethod = false;
    this.#isAnswer = false;
  }

  #takeKept(): string {
    const text = this.#kept === undefined ? '' : new TextDecoder().decode(new Uint8Array(this.#kept));
    this.#kept = undefined;
    return text;
  }
}

/** The value of a JSON text; `undefined` if it is not JSON. */
function parsed(text: JsonText): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
