import { elementTexts, type ObjectView } from '../json/object-view.ts';
import type { JsonText } from '../model/entry.ts';
import { parseTime } from '../model/times.ts';

/** What the value of a member must be. */
export type FieldType = 'string' | 'time' | 'number' | 'boolean' | 'object' | 'strings' | 'id' | 'headers';

/** A member that a format defines. */
export interface FieldRule {
  readonly key: string;
  readonly type: FieldType;
  /** Whether it may be absent or null. */
  readonly optional?: boolean;
  /** What the reader does without it. */
  readonly without: string;
}

/** The longest value that a fault quotes. */
const MAX_QUOTED = 60;

/** The first of these members that is missing or has the wrong type, and what is done without it. */
export function fieldFault(view: ObjectView, rules: readonly FieldRule[]): string | undefined {
  for (const { key, type, optional = false, without } of rules) {
    const text = view.textOf(key);
    if (text === undefined || text === 'null') {
      if (!optional) return `${key} is missing; ${without}`;
    } else if (!isA(type, text, view, key)) {
      return `${key} must be ${TYPE_NAMES[type]}, found ${text.slice(0, MAX_QUOTED)}; ${without}`;
    }
  }
  return undefined;
}

const TYPE_NAMES: Readonly<Record<FieldType, string>> = {
  string: 'a string',
  time: 'a time',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  strings: 'an array of strings',
  id: 'a string or a number',
  headers: 'an object or an array of pairs',
};

function isA(type: FieldType, text: JsonText, view: ObjectView, key: string): boolean {
  switch (type) {
    case 'string':
      return text.startsWith('"');
    case 'time':
      return parseTime(view.string(key) ?? '') !== undefined;
    case 'number':
      return isNumber(text);
    case 'boolean':
      return text === 'true' || text === 'false';
    case 'object':
      return text.startsWith('{');
    case 'strings':
      return elementTexts(text)?.every((element) => element.startsWith('"')) === true;
    case 'headers':
      return /^[{[]/.test(text);
    case 'id':
      return text.startsWith('"') || isNumber(text);
  }
}

function isNumber(text: JsonText): boolean {
  return /^[-\d]/.test(text);
}
