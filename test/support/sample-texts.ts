import fc from 'fast-check';
import { decodeString } from '../../src/json/scan.ts';
import { forEachToken } from '../../src/json/tokens.ts';

/** JSON texts for tests: random ones in every spelling that the grammar allows, and very deep ones. */

/** Any string, including lone surrogates. */
export const anyString: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.nat(0x7f), fc.nat(0xffff), fc.nat(0x10ffff)))
  .map((points) => String.fromCodePoint(...points));

const space = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.stringMatching(/^[ \t\r\n]{1,3}$/) },
);

const stringPiece = fc.oneof(
  anyString.map((text) => text.slice(0, 3).replace(/["\\]|\p{Cc}/gu, '')),
  fc.constantFrom('a', 'b', '{', '}', '[', ']', ',', ':', '1', ' ', '\u2028', '\ufeff', '\u007f', '\ud800', '\udc00'),
  fc.constantFrom('\\"', '\\\\', '\\/', '\\b', '\\f', '\\n', '\\r', '\\t'),
  fc.stringMatching(/^\\u[0-9a-fA-F]{4}$/),
);

const stringLiteral = fc.array(stringPiece, { maxLength: 6 }).map((pieces) => `"${pieces.join('')}"`);

// Few keys, so that duplicates and different spellings of one key are common.
const keyLiteral = fc.oneof(
  fc.constantFrom('"a"', '"b"', '"\\u0061"', '""', '"__proto__"', '"constructor"', '"0"', '"id"'),
  stringLiteral,
);

const numberLexeme = fc.oneof(
  fc.stringMatching(/^-?(0|[1-9]\d{0,25})(\.\d{1,8})?([eE][+-]?\d{1,5})?$/),
  fc.constantFrom('0', '-0', '1.0', '1e400', '-1e-400', '12345678901234567890', '9007199254740993', '0.1e+1', '10E-1'),
);

const scalar = fc.oneof(fc.constantFrom('null', 'true', 'false'), numberLexeme, stringLiteral);

const grammar = fc.letrec<{ value: string; array: string; object: string }>((tie) => {
  const spaced = (inner: fc.Arbitrary<string>): fc.Arbitrary<string> =>
    fc.tuple(space, inner, space).map((parts) => parts.join(''));
  const list = (open: string, item: fc.Arbitrary<string>, close: string): fc.Arbitrary<string> =>
    fc
      .tuple(space, fc.array(item, { maxLength: 5 }))
      .map(([inside, items]) => open + (items.length === 0 ? inside : items.join(',')) + close);
  const member = fc.tuple(spaced(keyLiteral), spaced(tie('value'))).map(([key, value]) => `${key}:${value}`);
  return {
    value: fc.oneof({ depthSize: 'small', maxDepth: 6 }, scalar, tie('array'), tie('object')),
    array: list('[', spaced(tie('value')), ']'),
    object: list('{', member, '}'),
  };
});

const document = (inner: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(space, inner, space).map((parts) => parts.join(''));

/** Any JSON document: any whitespace, escapes, duplicate keys, numbers beyond the range of a double. */
export const jsonText: fc.Arbitrary<string> = document(grammar.value);
export const objectText: fc.Arbitrary<string> = document(grammar.object);
export const arrayText: fc.Arbitrary<string> = document(grammar.array);

const significant = fc.oneof(
  fc.constantFrom(...'{}[],:"\\/0123456789+-.eEtfnu \t\r\n'),
  fc.constantFrom('\0', '\u0001', '\u001f', '\u007f', '\u00a0', '\u2028', '\ufeff', '\ud800', 'a', 'x'),
);

const change = fc.record({
  how: fc.constantFrom('insert', 'delete', 'replace'),
  where: fc.nat(),
  character: significant,
});

/** A JSON document after one to three character changes: rarely valid, and never far from it. */
export const almostJsonText: fc.Arbitrary<string> = fc
  .tuple(jsonText, fc.array(change, { minLength: 1, maxLength: 3 }))
  .map(([text, changes]) =>
    changes.reduce((changed, { how, where, character }) => {
      const at = where % (changed.length + 1);
      const added = how === 'delete' ? '' : character;
      return changed.slice(0, at) + added + changed.slice(how === 'insert' ? at : at + 1);
    }, text),
  );

/** Whether any object in a JSON text has a duplicate key. */
export function hasKeyTwice(text: string): boolean {
  const open: (Set<string> | undefined)[] = [];
  let expectsKey = false;
  let isFound = false;
  forEachToken(text, (kind, start, end) => {
    const keys = open.at(-1);
    if (kind === '"' && expectsKey && keys !== undefined) {
      const key = decodeString(text.slice(start, end));
      isFound ||= keys.has(key);
      keys.add(key);
    }
    if (kind === '{' || kind === '[') open.push(kind === '{' ? new Set() : undefined);
    else if (kind === '}' || kind === ']') open.pop();
    expectsKey = (kind === '{' || kind === ',') && open.at(-1) !== undefined;
  });
  return isFound;
}

type Choose = (count: number) => number;

/** Random choices for `spell`. */
export const choices: fc.Arbitrary<number[]> = fc.array(fc.nat(999), { minLength: 1, maxLength: 50 });

/** Writes a value as JSON with chosen key order, whitespace, escapes and number spellings. */
export function spell(value: unknown, chosen: readonly number[]): string {
  let next = 0;
  const choose: Choose = (count) => (chosen[next++ % chosen.length] ?? 0) % count;
  const pad = (): string => ['', '', ' ', '\n', '\t', '\r\n  '][choose(6)] ?? '';
  const write = (inner: unknown): string => {
    if (Array.isArray(inner)) return `[${inner.map((item) => pad() + write(item) + pad()).join(',') || pad()}]`;
    if (typeof inner === 'object' && inner !== null) {
      const members = shuffle(Object.entries(inner), choose).map(
        ([key, item]) => `${pad()}${spellString(key, choose)}${pad()}:${pad()}${write(item)}${pad()}`,
      );
      return `{${members.join(',') || pad()}}`;
    }
    if (typeof inner === 'string') return spellString(inner, choose);
    return typeof inner === 'number' ? spellNumber(JSON.stringify(inner), choose) : JSON.stringify(inner);
  };
  return pad() + write(value) + pad();
}

function spellString(text: string, choose: Choose): string {
  const units = text.split('').map((unit) => {
    const hex = unit.charCodeAt(0).toString(16).padStart(4, '0');
    return [JSON.stringify(unit).slice(1, -1), `\\u${hex}`, `\\u${hex.toUpperCase()}`][choose(3)];
  });
  return choose(2) === 0 ? JSON.stringify(text) : `"${units.join('')}"`;
}

function spellNumber(lexeme: string, choose: Choose): string {
  const whole = [lexeme, `${lexeme}.0`, `${lexeme}e0`, `${lexeme}E+00`, lexeme === '0' ? '-0' : `${lexeme}0e-1`];
  const decimal = [lexeme, `${lexeme}0`, `${lexeme}e0`, `${lexeme}E-0`];
  const scientific = [lexeme, lexeme.replace('e', 'E')];
  const spellings = lexeme.includes('e') ? scientific : lexeme.includes('.') ? decimal : whole;
  return spellings[choose(spellings.length)] ?? lexeme;
}

function shuffle<T>(items: readonly T[], choose: Choose): T[] {
  const rest = [...items];
  return items.flatMap(() => rest.splice(choose(rest.length), 1));
}

/** Splits bytes into chunks at any positions, some of them empty. */
export function chunksOf(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const offsets = cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b);
  return [0, ...offsets].map((from, index) => bytes.subarray(from, offsets[index] ?? bytes.length));
}

/** Cut positions for `chunksOf`. */
export const cuts: fc.Arbitrary<number[]> = fc.array(fc.nat(), { maxLength: 12 });

const LEVELS = 100_000;

/** Documents of 100,000 levels, with the path to the innermost value. */
export const deepTexts: readonly {
  readonly of: string;
  readonly text: string;
  readonly path: readonly (string | number)[];
}[] = [
  {
    of: 'arrays',
    text: '['.repeat(LEVELS) + ']'.repeat(LEVELS),
    path: Array.from({ length: LEVELS - 1 }, () => 0),
  },
  {
    of: 'objects',
    text: `${'{"a":'.repeat(LEVELS)}1${'}'.repeat(LEVELS)}`,
    path: Array.from({ length: LEVELS }, () => 'a'),
  },
  {
    of: 'both',
    text: `${'[ {"a" : '.repeat(LEVELS / 2)}"x"${'} ]'.repeat(LEVELS / 2)}`,
    path: Array.from({ length: LEVELS }, (_, level) => (level % 2 === 0 ? 0 : 'a')),
  },
];
