import {
  decodeString,
  type JsonMember,
  scanElements,
  scanMembers,
  scanObject,
  scanValue,
  skipSpace,
  type TextSpan,
} from './scan.ts';

/**
 * A lazy view of a JSON object's text: it finds members by their spans and parses a value only on demand. The last of
 * duplicate keys counts, as with `JSON.parse`.
 */
export class ObjectView {
  readonly text: string;
  readonly members: readonly JsonMember[];

  private constructor(text: string, members: readonly JsonMember[]) {
    this.text = text;
    this.members = members;
  }

  /**
   * The view of a text that is one JSON object, or `undefined` for any other text. `takeValue` may inspect a member's
   * value in the same pass; it returns the offset after the value, as `scanValue` does.
   */
  static of(
    text: string,
    takeValue: (key: string, start: number) => number = (_, start) => scanValue(text, start),
  ): ObjectView | undefined {
    const members: JsonMember[] = [];
    const end = scanObject(text, skipSpace(text, 0), (key, start, keyStart) => {
      const valueEnd = takeValue(key, start);
      members.push({ key, keyStart, start, end: valueEnd });
      return valueEnd;
    });
    return end >= 0 && skipSpace(text, end) >= text.length ? new ObjectView(text, members) : undefined;
  }

  /** The view of an object whose text may be truncated: it has the members before the cut. */
  static ofHead(text: string): ObjectView {
    const members: JsonMember[] = [];
    scanMembers(text, skipSpace(text, 0), (member) => members.push(member));
    // A number is the only value whose end is not visible: digits may be missing.
    if (members.at(-1)?.end === text.length && /\d$/.test(text)) members.pop();
    return new ObjectView(text, members);
  }

  /** The member in which the text is truncated: its key and the start of its value, if the text reaches that far. */
  openMember(): { readonly key: string; readonly start: number } | undefined {
    const from = this.members.at(-1)?.end ?? this.text.indexOf('{') + 1;
    const match = /^\s*(?:,\s*)?"(\w+)"\s*:\s*/.exec(this.text.slice(from));
    return match?.[1] === undefined ? undefined : { key: match[1], start: from + match[0].length };
  }

  member(key: string): JsonMember | undefined {
    for (let i = this.members.length - 1; i >= 0; i--) {
      const member = this.members[i];
      if (member !== undefined && member.key === key) return member;
    }
    return undefined;
  }

  has(key: string): boolean {
    return this.member(key) !== undefined;
  }

  /** The exact text of a member's value. */
  textOf(key: string): string | undefined {
    const member = this.member(key);
    return member && this.text.slice(member.start, member.end);
  }

  /** A string member, decoded; `undefined` if it is missing or not a string. */
  string(key: string): string | undefined {
    const literal = this.textOf(key);
    return literal?.startsWith('"') ? decodeString(literal) : undefined;
  }

  /** A numeric member that is finite in JavaScript; `undefined` otherwise. */
  number(key: string): number | undefined {
    const value = this.value(key);
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
  }

  /** A member parsed to a JavaScript value. */
  value(key: string): unknown {
    const text = this.textOf(key);
    return text === undefined ? undefined : JSON.parse(text);
  }

  /** The strings in an array member; `undefined` if it is not an array. */
  strings(key: string): string[] | undefined {
    const value = this.value(key);
    return Array.isArray(value) ? value.filter((element) => typeof element === 'string') : undefined;
  }

  /** An object member, as a view. */
  object(key: string): ObjectView | undefined {
    const text = this.textOf(key);
    return text?.startsWith('{') ? ObjectView.of(text) : undefined;
  }

  /** An object with only the members whose key passes, in order; `undefined` if no key passes. */
  only(passes: (key: string) => boolean): string | undefined {
    const parts: string[] = [];
    for (const member of this.members) {
      if (passes(member.key)) parts.push(this.text.slice(member.keyStart, member.end));
    }
    return parts.length === 0 ? undefined : `{${parts.join(',')}}`;
  }
}

/** The spans of an array's elements; `undefined` if the text is not a JSON array. */
export function elementsOf(text: string): readonly TextSpan[] | undefined {
  const elements: TextSpan[] = [];
  const end = scanElements(text, skipSpace(text, 0), (element) => elements.push(element));
  return end >= 0 && skipSpace(text, end) >= text.length ? elements : undefined;
}

/** The exact texts of an array's elements; `undefined` if the text is not a JSON array. */
export function elementTexts(text: string): readonly string[] | undefined {
  return elementsOf(text)?.map(({ start, end }) => text.slice(start, end));
}
