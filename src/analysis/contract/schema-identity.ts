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
  const types = typeAlternatives(schema);
  const keywords = [...schema.members].flatMap(([keyword, value]): string[] => {
    if (keyword === 'anyOf' && types !== undefined) return [`type ${typesIn(types)}`];
    if (keyword === 'const' && !schema.members.has('enum')) return [`enum ${value.identity}`];
    const described = describeKeyword(keyword, value, depth + 1);
    return described === undefined ? [] : [`${keyword} ${described}`];
  });
  return keywords.length === 0 ? 'anything' : keywords.sort().join('\n');
}

/** The meaning of a keyword; `undefined` if it has none. */
function describeKeyword(keyword: string, value: ValueNode, depth: number): string | undefined {
  if (DEFAULTS.get(keyword) === textOf(value)) return undefined;
  if (keyword === 'type') return typesIn(value);
  if (keyword === 'enum' || keyword === 'required') {
    const values = sorted(value.elements.map(({ identity }) => identity));
    return keyword === 'required' && values === '' ? undefined : values;
  }
  if (LISTS.has(keyword)) return sorted(value.elements.map((schema) => schemaIdentity(schema, depth)));
  if (keyword === 'prefixItems') return value.elements.map((schema) => schemaIdentity(schema, depth)).join(' ');
  if (MAPS.has(keyword)) {
    const named = [...value.members].map(
      ([name, schema]) => `${JSON.stringify(name)} ${schemaIdentity(schema, depth)}`,
    );
    return named.length === 0 ? undefined : named.sort().join(' ');
  }
  if (SCHEMAS.has(keyword) && allowsAll(value)) return undefined;
  return `${SCHEMAS.has(keyword) || CONDITIONS.has(keyword) ? schemaIdentity(value, depth) : value.identity}`;
}

/** The types, without `integer` where any number is valid. */
function typesIn(value: ValueNode): string {
  const types = valuesIn(value).map(textOf);
  return sorted(types.filter((type) => type !== '"integer"' || !types.includes('"number"')));
}

function sorted(values: readonly (string | number)[]): string {
  return [...new Set(values)].sort().join(' ');
}
