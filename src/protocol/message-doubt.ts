import { ObjectView } from '../json/object-view.ts';
import { decodeString, scanObject, scanValue, skipSpace } from '../json/scan.ts';
import { forEachToken } from '../json/tokens.ts';
import type { JsonText } from '../model/entry.ts';
import { readEnvelope } from './envelope.ts';

/** Finds messages that receivers may read differently from mcpreel, so that rules could judge another message. */

/** The keys that decide what a message does. Some parsers ignore their case. */
const DECISIVE: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error', 'name', 'uri']);

/** The depth of the members of `params`, in which keys are compared without their case. */
const PARAMS_DEPTH = 2;

/** Why a receiver may read a message differently; `undefined` if all read it alike. */
export function doubtIn(text: JsonText): string | undefined {
  const { kind, id, method } = readEnvelope(text);
  if (kind === 'invalid') return 'it is not a JSON-RPC message';
  const keys = new KeyWatch(text);
  forEachToken(text, (token, start, end) => keys.see(token, start, end));
  if (keys.doubt !== undefined) return keys.doubt;
  if (method !== undefined && id === undefined && keys.hasId) return 'its id is neither a string nor a number';
  return undefined;
}

/** A key without its case. Some parsers take the letters of other alphabets that fold to these for the same. */
function folded(key: string): string {
  return key.toUpperCase().toLowerCase();
}

/** Whether a message has an id, of whatever type. */
export function hasId(text: JsonText): boolean {
  return ObjectView.of(text)?.has('id') === true;
}

/** Whether a message names a method, in whatever case. */
export function hasMethod(text: JsonText): boolean {
  const keys = new Set<string>();
  scanObject(text, skipSpace(text, 0), (key, start) => {
    keys.add(folded(key));
    return scanValue(text, start);
  });
  return keys.has('method');
}

/** The keys of one open object; an open array has none. */
interface OpenContainer {
  readonly keys: Set<string> | undefined;
  /** Whether a parser that ignores case could mistake one of its keys for another. */
  readonly ignoresCase: boolean;
  isAtKey: boolean;
}

class KeyWatch {
  doubt: string | undefined;
  hasId = false;
  readonly #text: JsonText;
  readonly #open: OpenContainer[] = [];
  /** The last key at the top level. */
  #member = '';

  constructor(text: JsonText) {
    this.#text = text;
  }

  see(token: string, start: number, end: number): void {
    const inner = this.#open.at(-1);
    switch (token) {
      case '{':
      case '[':
        this.#enter(token === '{');
        break;
      case '}':
      case ']':
        this.#open.pop();
        break;
      case ',':
        if (inner?.keys !== undefined) inner.isAtKey = true;
        break;
      case '"':
        if (inner?.isAtKey) this.#takeKey(inner, this.#text.slice(start + 1, end - 1));
        break;
      default:
    }
  }

  #enter(isObject: boolean): void {
    const depth = this.#open.length + 1;
    const ignoresCase = depth === 1 || (depth === PARAMS_DEPTH && this.#member === 'params');
    this.#open.push({ keys: isObject ? new Set() : undefined, ignoresCase, isAtKey: isObject });
  }

  #takeKey(inner: OpenContainer, written: string): void {
    inner.isAtKey = false;
    const key = written.includes('\\') ? decodeString(`"${written}"`) : written;
    const compared = inner.ignoresCase ? folded(key) : key;
    if (this.#open.length === 1) {
      this.#member = key;
      this.hasId ||= key === 'id';
    }
    if (inner.keys?.has(compared)) this.doubt ??= `the key ${JSON.stringify(key)} occurs twice`;
    else if (inner.ignoresCase && compared !== key && DECISIVE.has(compared)) {
      this.doubt ??= `the key ${JSON.stringify(key)} could be read as ${JSON.stringify(compared)}`;
    }
    inner.keys?.add(compared);
  }
}
