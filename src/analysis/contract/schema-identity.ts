import { fingerprint } from '../../json/fingerprint.ts';
import { textOf, type ValueNode } from '../diff/value-tree.ts';

/**
 * Equal for schemas that are written differently but mean the same: another order of a set, a keyword with its default
 * value, `const` for an `enum` of one, types as alternatives.
 */
export function schemaIdentity(schema: ValueNode, depth: number = 0): number {
  const known = IDENTITIES.get(schema);
  if (known !== undefined) return known;
  const identity = depth > MAX_DEPTH ? schema.identity : fingerprint(describe(schema, depth));
  IDENTITIES.set(schema, identity);
  return identity;
}

/** The types of a schema like `{"anyOf":[{"type":"string"},{"type":"null"}]}`, as an array. */
export function typeAlternatives({ members }: ValueNode): ValueNode | undefined {
  const alternatives = members.has('type') ? undefined : members.get('anyOf');
  if (alternatives === undefined || alternatives.elements.length === 0) return undefined;
  const types = alternatives.elements.map(({ members: own }) => (own.size === 1 ? own.get('type') : undefined));
  const elements = types.flatMap((type) => (type === undefined ? [] : valuesIn(type)));
  return types.includes(undefined) ? undefined : { ...alternatives, elements };
}

/** The elements of an array, or a single value. */
export function valuesIn(node: ValueNode): readonly ValueNode[] {
  return node.form === 'array' ? node.elements : [node];
}

/** Whether a schema allows every value: absent, `true` or `{}`. */
export function allowsAll(schema: ValueNode | undefined): boolean {
  return schema === undefined || textOf(schema) === 'true' || (schema.form === 'object' && schema.members.size === 0);
}

/** Keywords whose value is one schema; if absent, any value is valid. */
export const SCHEMAS: ReadonlySet<string> = new Set(
  'items additionalProperties additionalItems contains propertyNames unevaluatedProperties unevaluatedItems'.split(' '),
);

/** Annotations that are false by default. */
export const FLAGS: ReadonlySet<string> = new Set(['deprecated', 'readOnly', 'writeOnly']);

const IDENTITIES = new WeakMap<ValueNode, number>();

/** Peers write the schemas; below this depth they are compared as they are written. */
const MAX_DEPTH = 64;

const MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions']);
const DEPENDENCIES = new Set(['dependentRequired', 'dependencies']);
const LISTS = new Set(['anyOf', 'oneOf', 'allOf']);
const CONDITIONS = new Set(['not', 'if', 'then', 'else']);
const DEFAULTS: ReadonlyMap<string, string> = new Map([
  ['minLength', '0'],
  ['minItems', '0'],
  ['minProperties', '0'],
  ['minContains', '1'],
  ['uniqueItems', 'false'],
  ...Array.from(FLAGS, (keyword): [string, string] => [keyword, 'false']),
]);

function describe(schema: ValueNode, depth: number): string {
  if (allowsAll(schema)) return 'anything';
  if (schema.form !== 'object') return `${schema.identity}`;
  const keywords = describeKeywords(schema, depth);
  return keywords.length === 0 ? 'anything' : keywords.sort().join('\n');
}

function describeKeywords(schema: ValueNode, depth: number): string[] {
  const types = typeAlternatives(schema);
  const choices = choicesOf(schema);
  return [...schema.members].flatMap(([keyword, value]): string[] => {
    if (keyword === 'anyOf' && types !== undefined) return [`type ${typesIn(types)}`];
    if (choices?.keyword === keyword) return [`enum ${sorted(choices.values.map(({ identity }) => identity))}`];
    // A type that all choices have adds nothing.
    if (keyword === 'type' && choices?.values.every((choice) => isOfType(choice, value))) return [];
    const only = keyword === 'allOf' ? onlyCondition(schema, value) : undefined;
    if (only !== undefined && depth <= MAX_DEPTH) return describeKeywords(only, depth + 1);
    const described = describeKeyword(keyword, value, depth + 1);
    return described === undefined ? [] : [`${keyword} ${described}`];
  });
}

/** The values that a schema lists: as `enum`, as `const`, or as alternatives that each list some. */
function choicesOf({ members }: ValueNode): { keyword: string; values: readonly ValueNode[] } | undefined {
  const keywords = ['const', 'enum', 'anyOf'].filter((keyword) => members.has(keyword));
  const [keyword = ''] = keywords;
  const value = members.get(keyword);
  if (value === undefined || keywords.length > 1) return undefined;
  if (keyword === 'const') return { keyword, values: [value] };
  if (value.form !== 'array' || value.elements.length === 0) return undefined;
  if (keyword === 'enum') return { keyword, values: value.elements };
  const values = value.elements.map(listedIn);
  return values.includes(undefined) ? undefined : { keyword, values: values.flatMap((listed) => listed ?? []) };
}

/** The values of an alternative that does nothing but list them. */
function listedIn({ members }: ValueNode): readonly ValueNode[] | undefined {
  const [single, list, type] = [members.get('const'), members.get('enum'), members.get('type')];
  if ((single === undefined) === (list === undefined) || members.size > (type === undefined ? 1 : 2)) return undefined;
  const values = single === undefined ? (list?.elements ?? []) : [single];
  return type === undefined || values.every((value) => isOfType(value, type)) ? values : undefined;
}

function isOfType(value: ValueNode, type: ValueNode): boolean {
  const text = textOf(value);
  const own = TYPE_OF[text.charAt(0)] ?? (/^-?\d+$/.test(text) ? 'integer' : 'number');
  const types = valuesIn(type).map(textOf);
  return types.includes(`"${own}"`) || (own === 'integer' && types.includes('"number"'));
}

const TYPE_OF: Readonly<Record<string, string>> = {
  '"': 'string',
  '{': 'object',
  '[': 'array',
  t: 'boolean',
  f: 'boolean',
  n: 'null',
};

/** The only schema of an `allOf`, if its keywords could as well be those of the schema itself. */
function onlyCondition({ members }: ValueNode, { elements }: ValueNode): ValueNode | undefined {
  const [only] = elements;
  if (only?.form !== 'object' || elements.length > 1) return undefined;
  // Some keywords have a meaning only beside others, so both must not be mixed.
  const isAlone = [...members.keys()].every((keyword) => keyword === 'allOf' || REMARKS.has(keyword));
  return isAlone && [...only.members.keys()].every((keyword) => !members.has(keyword)) ? only : undefined;
}

/** Keywords that do not affect which values are valid. */
const REMARKS = new Set('$comment title description default examples deprecated readOnly writeOnly'.split(' '));

/** Describes a keyword; `undefined` if it has no meaning. */
function describeKeyword(keyword: string, value: ValueNode, depth: number): string | undefined {
  if (DEFAULTS.get(keyword) === textOf(value)) return undefined;
  if (keyword === 'type') return typesIn(value);
  if (keyword === 'enum' || keyword === 'required') {
    const values = sorted(value.elements.map(({ identity }) => identity));
    return keyword === 'required' && values === '' ? undefined : values;
  }
  if (LISTS.has(keyword)) {
    const schemas = value.elements.map((schema) => schemaIdentity(schema, depth));
    // Values that two of these schemas allow are not valid, so it counts how often each one occurs.
    return keyword === 'oneOf' ? schemas.sort().join(' ') : sorted(schemas);
  }
  if (keyword === 'prefixItems') return value.elements.map((schema) => schemaIdentity(schema, depth)).join(' ');
  if (MAPS.has(keyword)) return namedIn(value, (schema) => schemaIdentity(schema, depth));
  if (DEPENDENCIES.has(keyword)) {
    return namedIn(value, (given) =>
      given.form === 'array' ? sorted(given.elements.map(({ identity }) => identity)) : schemaIdentity(given, depth),
    );
  }
  if (SCHEMAS.has(keyword) && allowsAll(value)) return undefined;
  return `${SCHEMAS.has(keyword) || CONDITIONS.has(keyword) ? schemaIdentity(value, depth) : value.identity}`;
}

/** Named values in one order; `undefined` if there are none. */
function namedIn({ members }: ValueNode, describeValue: (value: ValueNode) => string | number): string | undefined {
  const named = [...members].map(([name, value]) => `${JSON.stringify(name)} ${describeValue(value)}`);
  return named.length === 0 ? undefined : named.sort().join(' ');
}

/** The types, without `integer` where any number is valid. */
function typesIn(value: ValueNode): string {
  const types = valuesIn(value).map(textOf);
  return sorted(types.filter((type) => type !== '"integer"' || !types.includes('"number"')));
}

function sorted(values: readonly (string | number)[]): string {
  return [...new Set(values)].sort().join(' ');
}
