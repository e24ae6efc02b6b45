import type { TextSpan } from '../json/scan.ts';

/** A value of a TOML text: where it stands, and what it is made of. */
export interface TomlValue extends TextSpan {
  readonly kind: 'string' | 'array' | 'table' | 'scalar';
  /** What a list holds. */
  readonly elements: readonly TomlValue[];
}

/** One `key = value`: the keys from the top of the file, and where the key and its last part begin. */
export interface TomlPair {
  readonly path: readonly string[];
  readonly keyStart: number;
  readonly lastKeyStart: number;
  readonly keyEnd: number;
  readonly value: TomlValue;
  /** Whether it stands between braces. */
  readonly inline: boolean;
}

/**
 * The pairs of a TOML text in order, those of inline tables too. The text must be valid, which a parser says; what
 * this adds is where things stand.
 */
export function scanToml(text: string, decode: (literal: string) => string): TomlPair[] {
  return new TomlScanner(text, decode).scan();
}

/** A step that no key can be: the tables of a list have no names. */
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

  /** Goes past what matches here, and returns it. */
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

  /** Leaves the scanner at what follows the key and the space after it. */
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

  /** Goes past the string that begins here, and returns its literal. */
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
    // A long string may end in quotes of its own, right before the ones that close it.
    if (long) for (let extra = 0; extra < 2 && this.#text.charAt(i) === quote; extra++) i++;
    this.#at = i;
    return this.#text.slice(start, i);
  }
}
