import { ObjectView } from '../json/object-view.ts';
import { sameJson } from '../json/same-json.ts';
import type { JsonText } from '../model/entry.ts';

/** A member to write: its key's text including quotes, and its value's text. */
export type UnknownField = readonly [key: string, value: JsonText];

/**
 * Merges a writer's fields with the unknown fields of an earlier file. An unknown field replaces the writer's field of
 * the same name; the others follow at the end.
 */
export function withKept(fields: readonly UnknownField[], kept: JsonText | undefined): readonly UnknownField[] {
  const view = kept === undefined ? undefined : ObjectView.of(kept);
  if (view === undefined) return fields;
  const merged = new Map(fields);
  for (const member of view.members) merged.set(JSON.stringify(member.key), view.text.slice(member.start, member.end));
  return [...merged];
}

/**
 * Returns the members of an object that writing these fields would lose. These are members with another name or another
 * value (a time with more digits, a number in place of a string).
 */
export function keptMembers(
  view: ObjectView,
  written: readonly UnknownField[],
  except: (key: string) => boolean,
): JsonText | undefined {
  const own = new Map(written);
  const keeper = new UnknownFieldKeeper();
  for (const { key, start, end } of view.members) {
    const given = own.get(JSON.stringify(key));
    const value = given === undefined ? view.text.slice(start, end) : (view.textOf(key) ?? '');
    if (!except(key) && (given === undefined || !sameJson(value, given))) keeper.keep(key, value);
  }
  return keeper.text;
}

/**
 * Returns the object under `key` that contains another format's members. Returns `undefined` if mcpreel cannot have
 * written it. In that case it is not an object, is empty, or has a `taken` member that would replace one that is read.
 */
export function asideMembers(
  view: ObjectView,
  key: string,
  taken: (key: string, value: JsonText) => boolean,
): JsonText | undefined {
  const aside = view.object(key);
  const isOurs = aside?.members.every((member) => !taken(member.key, aside.text.slice(member.start, member.end)));
  return aside !== undefined && isOurs ? keptMembers(aside, [], () => false) : undefined;
}

/** Collects the members to keep, as the text of one object. */
export class UnknownFieldKeeper {
  /** Created on demand, because most messages have nothing to keep. */
  #fields: Map<string, JsonText> | undefined;

  /** Keeps the value text of a key. If a key occurs twice, the last value is kept. */
  keep(key: string, value: JsonText): void {
    this.#fields ??= new Map();
    this.#fields.set(JSON.stringify(key), value);
  }

  /** Keeps a member of an object, if it exists. */
  keepFrom(view: ObjectView, key: string): void {
    const value = view.textOf(key);
    if (value !== undefined) this.keep(key, value);
  }

  get text(): JsonText | undefined {
    return this.#fields && compactObject([...this.#fields]);
  }
}

/** The punctuation and white space around the members of an object. */
export interface ObjectLayout {
  readonly open: string;
  readonly between: string;
  readonly colon: string;
  readonly close: string;
}

/** `{"a":1,"b":2}` */
export const ON_ONE_LINE: ObjectLayout = { open: '{', between: ',', colon: ':', close: '}' };

/** Writes one member per line, indented by `margin` and two spaces. */
export function tallLayout(margin: string): ObjectLayout {
  return { open: `{\n${margin}  `, between: `,\n${margin}  `, colon: ': ', close: `\n${margin}}` };
}

export function objectText(fields: readonly UnknownField[], layout: ObjectLayout): JsonText {
  let text = '';
  for (const [key, value] of fields) text += (text === '' ? layout.open : layout.between) + key + layout.colon + value;
  return text === '' ? '{}' : text + layout.close;
}

/** Writes the fields as an object on one line: `{"a":1,"b":2}`. */
export function compactObject(fields: readonly UnknownField[]): JsonText {
  return objectText(fields, ON_ONE_LINE);
}
