import { ObjectView } from '../json/object-view.ts';
import { sameJson } from '../json/same-json.ts';
import type { JsonText } from '../model/entry.ts';

/** A member as it will be written: its key's text with the quotes, and its value's text. */
export type UnknownField = readonly [key: string, value: JsonText];

/**
 * The fields that a writer made, with what was kept from an earlier file: a kept member of the same name takes the
 * place of the writer's own, the others follow at the end.
 */
export function withKept(fields: readonly UnknownField[], kept: JsonText | undefined): readonly UnknownField[] {
  const view = kept === undefined ? undefined : ObjectView.of(kept);
  if (view === undefined) return fields;
  const merged = new Map(fields);
  for (const member of view.members) merged.set(JSON.stringify(member.key), view.text.slice(member.start, member.end));
  return [...merged];
}

/**
 * The members of an object that writing these fields would not give back: those with another name, and those with
 * another value (a time with more digits, a number where a string should be).
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
 * The object under `key` in which another format's members were put aside, or `undefined` where it cannot be ours: it
 * is something else, or empty, or has a member that is `taken` and would stand in the place of what is read.
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

/** Collects the members that are to be kept, as the text of one object. */
export class UnknownFieldKeeper {
  /** Most messages have nothing to keep. */
  #fields: Map<string, JsonText> | undefined;

  /** Keeps the value text of a key. Of a key that occurs twice the last one counts. */
  keep(key: string, value: JsonText): void {
    this.#fields ??= new Map();
    this.#fields.set(JSON.stringify(key), value);
  }

  /** Keeps a member as it stands in an object, if it is there. */
  keepFrom(view: ObjectView, key: string): void {
    const value = view.textOf(key);
    if (value !== undefined) this.keep(key, value);
  }

  get text(): JsonText | undefined {
    return this.#fields && compactObject([...this.#fields]);
  }
}

/** How the members of an object are set out. */
export interface ObjectLayout {
  readonly open: string;
  readonly between: string;
  readonly colon: string;
  readonly close: string;
}

/** `{"a":1,"b":2}` */
export const ON_ONE_LINE: ObjectLayout = { open: '{', between: ',', colon: ':', close: '}' };

/** One member a line, indented by `margin` and two spaces. */
export function tallLayout(margin: string): ObjectLayout {
  return { open: `{\n${margin}  `, between: `,\n${margin}  `, colon: ': ', close: `\n${margin}}` };
}

/** The fields as an object. */
export function objectText(fields: readonly UnknownField[], layout: ObjectLayout): JsonText {
  let text = '';
  for (const [key, value] of fields) text += (text === '' ? layout.open : layout.between) + key + layout.colon + value;
  return text === '' ? '{}' : text + layout.close;
}

/** `{"a":1,"b":2}`: the fields as an object on one line. */
export function compactObject(fields: readonly UnknownField[]): JsonText {
  return objectText(fields, ON_ONE_LINE);
}
