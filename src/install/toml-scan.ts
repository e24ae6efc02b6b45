import type { TextSpan } from '../json/scan.ts';

/** A value in a TOML text, with its position and its elements. */
export interface TomlValue extends TextSpan {
  readonly kind: 'string' | 'array' | 'table' | 'scalar';
  /** The elements of an array. */
  readonly elements: readonly TomlValue[];
}

/** One `key = value` pair, with its full path and the positions of its key and of the key's last part. */
export interface TomlPair {
  readonly path: readonly string[];
  readonly keyStart: number;
  readonly lastKeyStart: number;
  readonly keyEnd: number;
  readonly value: TomlValue;
  /** Whether the pair is in an inline table. */
  readonly inline: boolean;
}

/**
 * Finds the positions of all pairs in a TOML text, in order and including inline tables. The text must be valid TOML;
 * the caller checks that with a parser.
 */
export function scanToml(text: string, decode: (literal: string) => string): TomlPair[] {
  return new TomlScanner(text, decode).scan();
}

/** A path step that no key can equal. Tables in an array have no names. */
const IN_A_LIST = '\n';
const BARE_KEY = /[^\s=.[\]{}"'#,]+/y;
const SPACE = /[ \t]*/y;
const BLANK = /(?:[ \t\r\n]|#[^\n]*)*/y;
const SCALAR = /[^,\]}#\r\n]*/y;

interface TomlKey {
  readonly parts: readonly string[];
  readonly start: number;
  readonly lastStart: number;
  readonly end: number;
}

class TomlScanner {
  readonly #text: string;
  readonly #decode: (literal: string) => string;
  readonly #pairs: TomlPair[] = [];
  #at = 0;

  constructor(text: string, decode: (literal: string) => string) {
    this.#text = text;
    this.#decode = decode;
  }

  scan(): TomlPair[] {
    let table: readonly string[] = [];
    for (this.#skip(BLANK); this.#at < this.#text.length; this.#skip(BLANK)) {
      if (this.#char === '[') table = this.#header();
      else this.#pair(table, false);
    }
    return this.#pairs;
  }

  get #char(): string {
    return this.#text.charAt(this.#at);
  }

  /** Skips the text that matches at the current position, and returns it. */
  #skip(what: RegExp): string {
    what.lastIndex = this.#at;
    const [found = ''] = what.exec(this.#text) ?? [];
    this.#at += found.length;
    return found;
  }

  #header(): readonly string[] {
    const brackets = this.#text.startsWith('[[', this.#at) ? 2 : 1;
    this.#at += brackets;
    const { parts } = this.#key();
    this.#at += brackets;
    return brackets === 2 ? [...parts, IN_A_LIST] : parts;
  }

  #pair(table: readonly string[], inline: boolean): void {
    const key = this.#key();
    this.#at += '='.length;
    this.#skip(SPACE);
    const path = [...table, ...key.parts];
    const value = this.#value(path);
    this.#pairs.push({ path, keyStart: key.start, lastKeyStart: key.lastStart, keyEnd: key.end, value, inline });
  }

  /** Leaves the scanner after the key and the white space that follows it. */
  #key(): TomlKey {
    const parts: string[] = [];
    this.#skip(SPACE);
    const start = this.#at;
    for (;;) {
      const lastStart = this.#at;
      if (this.#char === '"' || this.#char === "'") parts.push(this.#decode(this.#string()));
      else parts.push(this.#skip(BARE_KEY));
      const end = this.#at;
      this.#skip(SPACE);
      if (this.#char !== '.') return { parts, start, lastStart, end };
      this.#at++;
      this.#skip(SPACE);
    }
  }

  #value(path: readonly string[]): TomlValue {
    const start = this.#at;
    const first = this.#char;
    if (first === '"' || first === "'") {
      this.#string();
      return { kind: 'string', start, end: this.#at, elements: [] };
    }
    if (first === '[') return this.#array(path);
    if (first === '{') return this.#inlineTable(path);
    const scalar = this.#skip(SCALAR).trimEnd();
    return { kind: 'scalar', start, end: start + scalar.length, elements: [] };
  }

  #array(path: readonly string[]): TomlValue {
    const start = this.#at++;
    const elements: TomlValue[] = [];
    for (this.#skip(BLANK); this.#isInside(']'); this.#skip(BLANK)) {
      if (this.#char === ',') this.#at++;
      else elements.push(this.#value([...path, IN_A_LIST]));
    }
    return { kind: 'array', start, end: ++this.#at, elements };
  }

  #inlineTable(path: readonly string[]): TomlValue {
    const start = this.#at++;
    for (this.#skip(BLANK); this.#isInside('}'); this.#skip(BLANK)) {
      if (this.#char === ',') this.#at++;
      else this.#pair(path, true);
    }
    return { kind: 'table', start, end: ++this.#at, elements: [] };
  }

  #isInside(closing: string): boolean {
    return this.#at < this.#text.length && this.#char !== closing;
  }

  /** Skips the string that begins here, and returns its literal. */
  #string(): string {
    const start = this.#at;
    const quote = this.#char;
    const fence = quote.repeat(3);
    const long = this.#text.startsWith(fence, start);
    const closing = long ? fence : quote;
    let i = start + closing.length;
    while (i < this.#text.length && !this.#text.startsWith(closing, i)) {
      i += quote === '"' && this.#text.charAt(i) === '\\' ? 2 : 1;
    }
    i += closing.length;
    // A multi-line string may end with up to two quotes directly before the closing ones.
    if (long) for (let extra = 0; extra < 2 && this.#text.charAt(i) === quote; extra++) i++;
    this.#at = i;
    return this.#text.slice(start, i);
  }
}
