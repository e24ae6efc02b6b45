import { ChildScanner, type JsonChild } from '../../../src/json/child-scanner.ts';
import { readPath, writeStep } from '../../../src/json/json-path.ts';
import { compact, onOneLine, pretty } from '../../../src/json/layout.ts';
import { decodeUtf8 } from '../../../src/json/lines.ts';
import { canonicalNumber } from '../../../src/json/number.ts';
import { elementsOf, ObjectView } from '../../../src/json/object-view.ts';
import { sameJson } from '../../../src/json/same-json.ts';
import { documentSpan, encodeString, findFault } from '../../../src/json/scan.ts';
import { type JsonPath, removeAt, sliceAt, spliceAt } from '../../../src/json/splice.ts';
import { forEachToken } from '../../../src/json/tokens.ts';
import { chunksOf, hasKeyTwice, jsonText } from '../../support/sample-texts.ts';
import { Random } from '../random.ts';
import { corpusSeeds, randomSeeds } from '../seeds.ts';
import { hold, same, type Target } from '../target.ts';

const seeds = (): Uint8Array[] => [
  ...corpusSeeds('session-file', 'streamable-http', 'har', 'inspector', 'mcp-recorder'),
  ...randomSeeds(jsonText, 200),
];

/** Fuzzes mcpreel's JSON text functions against the engine's parser. */
export const jsonTargets: readonly Target[] = [
  { name: 'json-text', perSecond: 1000, seeds, check: checkText },
  { name: 'json-path', perSecond: 2000, seeds, check: checkPaths },
  { name: 'json-chunks', perSecond: 1500, seeds, check: checkChunks },
];

function checkText(input: Uint8Array): void {
  const text = textOf(input);
  const fault = findFault(text);
  const parsed = parse(text);
  same(fault === undefined, parsed !== undefined, 'what is JSON is what JSON.parse takes');
  same(documentSpan(text) !== undefined, parsed !== undefined, 'a document has a span');
  hold(fault === undefined || (fault >= 0 && fault <= text.length), 'a fault stands in the text', () => fault);
  const layouts = [compact(text), pretty(text), pretty(text, '\t', '  ')];
  if (parsed === undefined) {
    for (const layout of layouts) same(layout, text, 'what is no JSON stays as it is');
    return;
  }
  checkTokens(text);
  if (isDeep(text)) return;
  for (const layout of [...layouts, onOneLine(text)]) {
    same(parse(layout), parsed, 'another layout says the same');
    same(compact(layout), layouts[0], 'all layouts have one compact form');
    same(sameJson(layout, text), true, 'another layout is the same JSON');
  }
  if (!hasKeyTwice(text))
    same(
      sameJson(text, JSON.stringify(parsed.value)),
      !hasLossyNumber(text),
      'what the parser writes is the same JSON',
    );
}

function checkTokens(text: string): void {
  let joined = '';
  forEachToken(text, (kind, start, end) => {
    const token = text.slice(start, end);
    joined += token;
    if (kind === '"')
      same(
        encodeString(JSON.parse(token) as string),
        JSON.stringify(JSON.parse(token)),
        'strings are encoded as JSON does',
      );
    else if (kind === 'v' && /^[-\d]/.test(token)) {
      const canonical = canonicalNumber(token);
      same(Number(canonical) + 0, Number(token) + 0, 'one spelling of a number is that number');
      same(canonicalNumber(canonical), canonical, 'one spelling of a number is one');
    }
  });
  same(joined, compact(text), 'the tokens are the text without white space');
}

/** Whether a number does not fit in a double; then the parser's value differs from the text. */
function hasLossyNumber(text: string): boolean {
  let isLossy = false;
  forEachToken(text, (kind, start, end) => {
    if (kind !== 'v' || !/^[-\d]/.test(text.slice(start, end))) return;
    const value = Number(text.slice(start, end));
    if (!Number.isFinite(value)) isLossy = true;
    else if (canonicalNumber(JSON.stringify(value)) !== canonicalNumber(text.slice(start, end))) isLossy = true;
  });
  return isLossy;
}

function checkPaths(input: Uint8Array): void {
  const random = Random.of(input);
  const text = textOf(input);
  const parsed = parse(text);
  checkPathText(text.slice(0, 60));
  if (parsed === undefined || isDeep(text)) return;
  checkViews(text, parsed.value);
  for (let tries = 0; tries < 4; tries++) {
    const path = randomPath(parsed.value, random);
    const slice = sliceAt(text, path);
    same(
      slice === undefined ? undefined : parse(slice),
      { value: valueAt(parsed.value, path) },
      'a slice is the value at its path',
    );
    same(spliceAt(text, path, slice ?? ''), text, 'a slice put back changes nothing');
    const spliced = spliceAt(text, path, '{"put":[1]}') ?? '';
    same(parse(sliceAt(spliced, path) ?? ''), { value: { put: [1] } }, 'what is put somewhere stands there');
    checkAddition(text, path, valueAt(parsed.value, path));
  }
}

function checkAddition(text: string, path: JsonPath, parent: unknown): void {
  if (!isObject(parent)) return;
  const added = spliceAt(text, [...path, '__new"'], '7') ?? '';
  same(sliceAt(added, [...path, '__new"']), '7', 'a new member is added');
  same(parse(removeAt(added, [...path, '__new"']) ?? ''), parse(text), 'and taken away again');
}

function checkPathText(text: string): void {
  const steps = readPath(text);
  if ('fault' in steps)
    hold(steps.fault >= 0 && steps.fault <= text.length, 'the fault of a path stands in it', () => steps);
  same('fault' in readPath(`$${writeStep(text)}`), false, 'the step to any key can be read');
}

function checkViews(text: string, value: unknown): void {
  const view = ObjectView.of(text);
  same(view !== undefined, isObject(value), 'an object has a view');
  same(elementsOf(text)?.length, Array.isArray(value) ? value.length : undefined, 'an array has its elements');
  if (view === undefined || !isObject(value)) return;
  same(new Set(view.members.map(({ key }) => key)), new Set(Object.keys(value)), 'a view has the keys of its object');
  for (const key of Object.keys(value).slice(0, 20))
    same(view.value(key), value[key], 'a view has the values of its object');
  for (const end of [text.length >> 1, text.length - 1]) {
    for (const { start, end: to } of ObjectView.ofHead(text.slice(0, end)).members) {
      hold(parse(text.slice(start, to)) !== undefined, 'the head of a text has whole members only', () =>
        text.slice(start, to),
      );
    }
  }
}

function checkChunks(input: Uint8Array): void {
  const random = Random.of(input);
  const whole = childrenIn([input]);
  for (const chunks of [
    chunksOf(input, random.cuts(input.length, 9)),
    input.length < 3000 ? [...input].map((byte) => Uint8Array.of(byte)) : [input],
  ]) {
    same(childrenIn(chunks), whole, 'children are the same in any chunks');
  }
  const text = decodeUtf8(input)?.replace(/^\uFEFF/, '');
  const parsed = text === undefined ? undefined : parse(text);
  if (text === undefined || isDeep(text) || !isContainer(parsed?.value)) return;
  same(whole.fault, undefined, 'a container that is JSON has no fault');
  same(whole.isComplete, true, 'a container that is JSON is complete');
  const spans = ObjectView.of(text)?.members ?? elementsOf(text) ?? [];
  same(
    whole.children.map(({ text: child }) => child),
    spans.map(({ start, end }) => text.slice(start, end)),
    'children are the members or elements',
  );
}

function childrenIn(chunks: readonly Uint8Array[]) {
  const scanner = new ChildScanner();
  const children: JsonChild[] = [];
  for (const chunk of chunks) {
    const lent = Uint8Array.from(chunk);
    children.push(...scanner.push(lent));
    lent.fill(0x21);
  }
  return {
    children: children.map(({ bytes, ...child }) => ({
      ...child,
      text: bytes && new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes),
    })),
    fault: scanner.fault,
    isComplete: scanner.complete,
    unfinished: scanner.unfinished,
  };
}

/** Whether comparing the parsed values may overflow the stack. */
function isDeep(text: string): boolean {
  return text.split(/[[{]/, 1000).length === 1000;
}

function textOf(input: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(input);
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return isContainer(value) && !Array.isArray(value);
}

function randomPath(value: unknown, random: Random): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at = value; isContainer(at) && !random.oneIn(5); at = valueAt(at, path.slice(-1))) {
    const keys = Object.keys(at);
    if (keys.length === 0) break;
    const key = random.pick(keys);
    path.push(Array.isArray(at) ? Number(key) : key);
  }
  return path;
}

function valueAt(value: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>((at, step) => (at as Readonly<Record<string | number, unknown>>)[step], value);
}
