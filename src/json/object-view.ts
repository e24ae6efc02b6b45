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
 * A lazy view of an object's text: members are found by their spans, and a value is built only when it is asked for.
 * Where a key occurs twice the last one counts, as with `JSON.parse`.
 */
export class ObjectView {
  readonly text: string;
  readonly members: readonly JsonMember[];

  private constructor(text: string, members: readonly JsonMember[]) {
    this.text = text;
    this.members = members;
  }

  /**
   * The view of a text that is one JSON object, or `undefined` where it is anything else. `takeValue` may look into a
   * member's value in passing; it returns the offset after the value, as `scanValue` does.
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

  /** What can be seen of an object whose text may be cut off: the members before the cut. */
  static ofHead(text: string): ObjectView {
    const members: JsonMember[] = [];
    scanMembers(text, skipSpace(text, 0), (member) => members.push(member));
    // Of all values only a number does not show where it ends: digits may be missing.
    if (members.at(-1)?.end === text.length && /\d$/.test(text)) members.pop();
    return new ObjectView(text, members);
  }

  /** The member in which a text is cut off: its key and where its value begins, if that much of it is there. */
  openMember(): { readonly key: string; readonly start: number } | undefined {
    const from = this.members.at(-1)?.end ?? this.text.indexOf('{') + 1;
    const match = /^\s*,?\s*"(\w+)"\s*:\s*/.exec(this.text.slice(from));
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

  /** A member that is a string, decoded; `undefined` where it is missing or something else. */
  string(key: string): string | undefined {
    const literal = this.textOf(key);
    return literal?.startsWith('"') ? decodeString(literal) : undefined;
  }

  /** A member that is a number JavaScript can hold, `undefined` otherwise. */
  number(key: string): number | undefined {
    const value = this.value(key);
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
  }

  /** A member built as a JavaScript value. */
  value(key: string): unknown {
    const text = this.textOf(key);
    return text === undefined ? undefined : JSON.parse(text);
  }

  /** The strings in a member that is an array; `undefined` where it is something else. */
  strings(key: string): string[] | undefined {
    const value = this.value(key);
    return Array.isArray(value) ? value.filter((element) => typeof element === 'string') : undefined;
  }

  /** A member that is an object, as a view of its own. */
  object(key: string): ObjectView | undefined {
    const text = this.textOf(key);
    return text?.startsWith('{') ? ObjectView.of(text) : undefined;
  }

  /** The object that holds only the members whose key passes, in their order, or `undefined` if none does. */
  only(passes: (key: string) => boolean): string | undefined {
    const parts: string[] = [];
    for (const member of this.members) {
      if (passes(member.key)) parts.push(this.text.slice(member.keyStart, member.end));
    }
    return parts.length === 0 ? undefined : `{${parts.join(',')}}`;
  }
}

/** The spans of an array's elements, or `undefined` where the text is no JSON array. */
export function elementsOf(text: string): readonly TextSpan[] | undefined {
  const elements: TextSpan[] = [];
  const end = scanElements(text, skipSpace(text, 0), (element) => elements.push(element));
  return end >= 0 && skipSpace(text, end) >= text.length ? elements : undefined;
}

/** The exact texts of an array's elements, or `undefined` where the text is no JSON array. */
export function elementTexts(text: string): readonly string[] | undefined {
  return elementsOf(text)?.map(({ start, end }) => text.slice(start, end));
}
