import { elementsOf, ObjectView } from '../../src/json/object-view.ts';
import { documentSpan, type TextSpan } from '../../src/json/scan.ts';
import { forEachToken } from '../../src/json/tokens.ts';
import type { Random } from './random.ts';
import { deeply } from './tokens.ts';

/** Mutations that keep JSON valid, so that readers get further before they reject it. */

/** Values of unexpected types, and numbers at the limits. */
const VALUES: readonly string[] = [
  ...['null', 'true', 'false', '{}', '[]', '""', '[[]]', '{"":{}}', '" "', '[null]', '{"__proto__":1}', '"\\u0000"'],
  ...['0', '-0', '-1', '1.5', '1e400', '-1e-400', '1e308', '9007199254740993', '18446744073709551616', '1.0', '1e0'],
  ...['8640000000000000', '8640000000000001', '-8640000000000001', '4294967295', '2147483648', '0.1e1', '1E+2'],
  ...[
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"__proto__"',
    '"\\n"',
    '"\\r\\n"',
    '"\\u2028"',
    '"1"',
    '"null"',
    '"{}"',
    '"[]"',
  ],
  ...[
    '"2026-03-04T10:00:01.123Z"',
    '"9999-12-31T23:59:60Z"',
    '"-000001-01-01T00:00:00Z"',
    '"soon"',
    '"🦊"',
    '"\\u001b["',
  ],
  ...['"in"', '"out"', '"event"', '"meta"', '"end"', '"request"', '"tools/call"', '"tools/list"', '"message"', '"2.0"'],
];

/** Changes one value, member or element of a text that is JSON, or has JSON on its lines. */
export function mutateJson(text: string, random: Random, donor: string): string {
  const document = pickDocument(text, random);
  if (document === undefined) return text;
  const json = text.slice(document.start, document.end);
  const changed = random.oneIn(4) ? inString(json, random, donor) : inValue(json, random, donor);
  return text.slice(0, document.start) + changed + text.slice(document.end);
}

/** Selects the whole text, one of its lines, or the part of a line from its first brace. */
function pickDocument(text: string, random: Random): TextSpan | undefined {
  const whole = documentSpan(text);
  if (whole !== undefined) return whole;
  const lines = [...text.matchAll(/[{[][^\r\n]*/g)];
  for (let tries = 0; tries < 4 && lines.length > 0; tries++) {
    const { index, 0: line } = random.pick(lines);
    const span = documentSpan(line);
    if (span !== undefined) return { start: index + span.start, end: index + span.end };
  }
  return undefined;
}

function inValue(json: string, random: Random, donor: string): string {
  const span = random.pick(valuesOf(json));
  const value = json.slice(span.start, span.end);
  return json.slice(0, span.start) + changedValue(value, random, donor) + json.slice(span.end);
}

/** Mutates JSON inside a string, such as an HTTP body or a text result. */
function inString(json: string, random: Random, donor: string): string {
  const holding = valuesOf(json).filter(({ start, end }) => json[start] === '"' && /[{[]/.test(json.slice(start, end)));
  if (holding.length === 0) return inValue(json, random, donor);
  const { start, end } = random.pick(holding);
  const inner = JSON.parse(json.slice(start, end)) as string;
  return json.slice(0, start) + JSON.stringify(mutateJson(inner, random, donor)) + json.slice(end);
}

function changedValue(value: string, random: Random, donor: string): string {
  const view = ObjectView.of(value);
  if (view !== undefined && view.members.length > 0 && !random.oneIn(4)) return changedMembers(view, random, donor);
  const elements = elementsOf(value);
  if (elements !== undefined && elements.length > 0 && !random.oneIn(4)) {
    const items = elements.map(({ start, end }) => value.slice(start, end));
    return `[${rearranged(items, random, () => random.pick(VALUES)).join(',')}]`;
  }
  switch (random.below(6)) {
    case 0:
      return JSON.stringify(value);
    case 1:
      return `[${value}]`;
    case 2:
      return deeply('[', ']', random.pick([3, 70, 2000]));
    case 3:
      return donated(donor, random);
    default:
      return random.pick(VALUES);
  }
}

function changedMembers({ text, members }: ObjectView, random: Random, donor: string): string {
  const written = members.map(({ keyStart, end }) => text.slice(keyStart, end));
  const other = (): string => {
    const { keyStart, start } = random.pick(members);
    const key = random.oneIn(4) ? '"__proto__":' : text.slice(keyStart, start);
    return key + (random.oneIn(3) ? donated(donor, random) : random.pick(VALUES));
  };
  return `{${rearranged(written, random, other).join(random.pick([',', ',', ' , ', ',\n']))}}`;
}

/** Drops, doubles, moves, replaces or adds a member or element. */
function rearranged(items: readonly string[], random: Random, other: () => string): string[] {
  const changed = [...items];
  const at = random.below(changed.length);
  const item = changed[at] ?? '';
  switch (random.below(6)) {
    case 0:
      changed.splice(at, 1);
      break;
    case 1:
      changed.splice(random.below(changed.length + 1), 0, item);
      break;
    case 2:
      changed.splice(at, 1);
      changed.splice(random.below(changed.length + 1), 0, item);
      break;
    case 3:
      changed.splice(random.below(changed.length + 1), 0, other());
      break;
    default:
      changed[at] = other();
  }
  return changed;
}

function donated(donor: string, random: Random): string {
  const document = pickDocument(donor, random);
  if (document === undefined) return random.pick(VALUES);
  const json = donor.slice(document.start, document.end);
  const { start, end } = random.pick(valuesOf(json));
  return json.slice(start, end);
}

/** The spans of all values in a document, without keys. */
function valuesOf(json: string): TextSpan[] {
  const spans: TextSpan[] = [];
  const open: number[] = [];
  const isObject: boolean[] = [];
  let expectsKey = false;
  forEachToken(json, (kind, start, end) => {
    if (kind === '{' || kind === '[') {
      open.push(start);
      isObject.push(kind === '{');
    } else if (kind === '}' || kind === ']') {
      spans.push({ start: open.pop() ?? 0, end });
      isObject.pop();
    } else if (kind === 'v' || (kind === '"' && !expectsKey)) spans.push({ start, end });
    expectsKey = (kind === '{' || kind === ',') && isObject.at(-1) === true;
  });
  return spans;
}
