import { writeStep } from '../../json/json-path.ts';
import { textOf, type ValueNode } from '../diff/value-tree.ts';
import { stringIn } from './contract.ts';
import { BOUNDS } from './schema-bounds.ts';
import { allowsAll, FLAGS, SCHEMAS, schemaIdentity, typeAlternatives, valuesIn } from './schema-identity.ts';

/** One change of a JSON schema. */
export interface SchemaChange {
  readonly path: string;
  readonly a: ValueNode | undefined;
  readonly b: ValueNode | undefined;
  readonly detail: string;
  /** Whether some valid value became invalid, which breaks senders of such values. */
  readonly narrows: boolean;
  /** Whether some invalid value became valid, which breaks receivers of such values. */
  readonly widens: boolean;
}

type ContractSide = ValueNode | undefined;

/** Peers write the schemas; below this depth they are compared as a whole. */
const DEEPEST = 64;

/**
 * Compares two schemas, change by change. Equal forms are no change: another order of a set, a bound that is the
 * default, `const` for an `enum` of one. A change of an unknown keyword counts as both narrowing and widening.
 */
export function compareSchemas(a: ValueNode, b: ValueNode, path: string): SchemaChange[] {
  return schemaChanges(a, b, path, 0);
}

/** Annotations, which do not affect validity. */
const REMARKS = new Set(
  '$schema $id $anchor $comment title description default examples deprecated readOnly writeOnly'.split(' '),
);
/** Keywords with named schemas that only other keywords refer to. */
const DEFINITIONS = new Set(['$defs', 'definitions']);
/** Keywords whose value is an array of schemas. */
const ALTERNATIVES = new Set(['anyOf', 'oneOf']);
const ALL = new Set(['allOf', 'prefixItems']);

function schemaChanges(a: ValueNode, b: ValueNode, path: string, depth: number): SchemaChange[] {
  if (a.identity === b.identity || schemaIdentity(a) === schemaIdentity(b)) return [];
  if (a.form !== 'object' || b.form !== 'object' || depth > DEEPEST) return wholeChange(path, a, b);
  const keywords = new Set([...a.members.keys(), ...b.members.keys()]);
  keywords.delete('required');
  keywords.add('properties');
  if (haveOneChoice(a, b)) keywords.delete(b.members.has('const') ? 'enum' : 'const');
  if (areTypeAlternatives(a, b) || areTypeAlternatives(b, a)) keywords.delete('anyOf');
  return [...keywords].flatMap((keyword) => {
    const [inA, inB] = [keywordOf(a, keyword), keywordOf(b, keyword)];
    const place = path + writeStep(keyword);
    if (keyword === 'properties') return propertyChanges(a, b, place, depth);
    return inA?.identity === inB?.identity ? [] : keywordChanges(keyword, inA, inB, place, depth);
  });
}

/** The value of a keyword; for `enum` or `const` the other one, for `type` alternatives that are types. */
function keywordOf(schema: ValueNode, keyword: string): ContractSide {
  const own = schema.members.get(keyword);
  if (keyword === 'enum') return own ?? asChoice(schema.members.get('const'));
  if (keyword === 'const') return asChoice(own) ?? schema.members.get('enum');
  if (own !== undefined) return own;
  return keyword === 'type' ? typeAlternatives(schema) : undefined;
}

/** The value of a `const` as a list of one value. */
function asChoice(value: ContractSide): ContractSide {
  return value && { ...value, form: 'array', elements: [value] };
}

/** Whether one schema has a `const` and the other an `enum`. */
function haveOneChoice(a: ValueNode, b: ValueNode): boolean {
  const isChoice = ({ members }: ValueNode, keyword: string, other: string): boolean =>
    members.has(keyword) && !members.has(other);
  return (
    (isChoice(a, 'const', 'enum') && isChoice(b, 'enum', 'const')) ||
    (isChoice(a, 'enum', 'const') && isChoice(b, 'const', 'enum'))
  );
}

/** Whether one schema lists its types as alternatives and the other as a type. */
function areTypeAlternatives(a: ValueNode, b: ValueNode): boolean {
  return typeAlternatives(a) !== undefined && b.members.has('type') && !b.members.has('anyOf');
}

function keywordChanges(
  keyword: string,
  a: ContractSide,
  b: ContractSide,
  path: string,
  depth: number,
): SchemaChange[] {
  if (FLAGS.has(keyword) && isTrue(a) === isTrue(b)) return [];
  if (REMARKS.has(keyword) || keyword.startsWith('x-')) return [change(path, a, b, false, false)];
  if (keyword === 'type') return compareSets(path, a, b, (types, type) => accepts(types, type));
  if (keyword === 'enum' || keyword === 'const') return compareSets(path, a, b, isAmong);
  if (SCHEMAS.has(keyword)) return optionalSchema(a, b, path, depth);
  if (DEFINITIONS.has(keyword)) return definitionChanges(a, b, path, depth);
  if (ALTERNATIVES.has(keyword) || ALL.has(keyword)) {
    return listChanges(a, b, path, depth, keyword);
  }
  const bound = BOUNDS.get(keyword);
  const { narrows, widens } = bound?.(a && textOf(a), b && textOf(b)) ?? { narrows: true, widens: true };
  return effect(path, a, b, narrows, widens);
}

function propertyChanges(a: ValueNode, b: ValueNode, path: string, depth: number): SchemaChange[] {
  const [inA, inB] = [a.members.get('properties')?.members, b.members.get('properties')?.members];
  const [neededA, neededB] = [namesIn(a.members.get('required')), namesIn(b.members.get('required'))];
  const names = new Set([...(inA?.keys() ?? []), ...(inB?.keys() ?? []), ...neededA, ...neededB]);
  return [...names].flatMap((name): SchemaChange[] => {
    const [was, is] = [inA?.get(name), inB?.get(name)];
    const place = path + writeStep(name);
    const [wasNeeded, isNeeded] = [neededA.has(name), neededB.has(name)];
    if (was !== undefined && is === undefined) {
      // Breaks both senders and receivers of the property.
      return [{ path: place, a: was, b: is, detail: 'removed', narrows: true, widens: true }];
    }
    if (was === undefined && is !== undefined) {
      const detail = isNeeded ? 'added, required' : 'added, optional';
      return [{ path: place, a: was, b: is, detail, narrows: isNeeded && !wasNeeded, widens: false }];
    }
    const inner = was && is ? schemaChanges(was, is, place, depth + 1) : [];
    if (wasNeeded === isNeeded) return inner;
    const detail = isNeeded ? 'now required' : 'no longer required';
    return [{ path: place, a: was, b: is, detail, narrows: isNeeded, widens: wasNeeded }, ...inner];
  });
}

function namesIn(list: ContractSide): ReadonlySet<string> {
  return new Set(list?.elements.map(stringIn));
}

function optionalSchema(a: ContractSide, b: ContractSide, path: string, depth: number): SchemaChange[] {
  if (a !== undefined && b !== undefined) return schemaChanges(a, b, path, depth + 1);
  return wholeChange(path, a, b);
}

/** The change from one schema to another, if it is only known whether each allows everything or nothing. */
function wholeChange(path: string, a: ContractSide, b: ContractSide): SchemaChange[] {
  return effect(path, a, b, !allowsAll(b) && !allowsNothing(a), !allowsAll(a) && !allowsNothing(b));
}

function allowsNothing(schema: ContractSide): boolean {
  return schema !== undefined && textOf(schema) === 'false';
}

function definitionChanges(a: ContractSide, b: ContractSide, path: string, depth: number): SchemaChange[] {
  const names = new Set([...(a?.members.keys() ?? []), ...(b?.members.keys() ?? [])]);
  return [...names].flatMap((name) => {
    const [was, is] = [a?.members.get(name), b?.members.get(name)];
    const place = path + writeStep(name);
    return was && is ? schemaChanges(was, is, place, depth + 1) : [change(place, was, is, false, false)];
  });
}

/**
 * Schemas that differ are compared in order if there are equally many. Otherwise, more alternatives widen and more
 * conditions narrow. Only `prefixItems` depends on the order.
 */
function listChanges(a: ContractSide, b: ContractSide, path: string, depth: number, keyword: string): SchemaChange[] {
  const [inA, inB] = [[...(a?.elements ?? []).entries()], [...(b?.elements ?? []).entries()]];
  const [lost, won] = keyword === 'prefixItems' ? [inA, inB] : withoutEqual(inA, inB);
  if (inA.length === inB.length) {
    return lost.flatMap(([, was], at) => {
      const [index, is] = won[at] ?? [0, undefined];
      return is === undefined ? [] : schemaChanges(was, is, path + writeStep(index), depth + 1);
    });
  }
  if (ALL.has(keyword)) return effect(path, a, b, won.length > 0, lost.length > 0);
  // Without alternatives any value is valid.
  const narrows = a === undefined || (b !== undefined && lost.length > 0);
  const widens = b === undefined || (a !== undefined && won.length > 0);
  return effect(path, a, b, narrows, widens);
}

type IndexedSchema = readonly [index: number, schema: ValueNode];

/** The schemas of each list that have no equal one in the other. */
function withoutEqual(
  a: readonly IndexedSchema[],
  b: readonly IndexedSchema[],
): [lost: IndexedSchema[], won: IndexedSchema[]] {
  const counts = new Map<number, number>();
  const count = (identity: number, change: number): number => {
    const now = (counts.get(identity) ?? 0) + change;
    counts.set(identity, now);
    return now;
  };
  for (const [, schema] of b) count(schemaIdentity(schema), 1);
  const lost = a.filter(([, schema]) => count(schemaIdentity(schema), -1) < 0);
  // What is left are the schemas that only the second list has, as often as it has them.
  const won = b.toReversed().filter(([, schema]) => count(schemaIdentity(schema), -1) >= 0);
  return [lost, won.reverse()];
}

/** Compares sets of allowed values, each given as a value or an array; if absent, any value is allowed. */
function compareSets(
  path: string,
  a: ContractSide,
  b: ContractSide,
  accepted: (among: readonly ValueNode[], value: ValueNode) => boolean,
): SchemaChange[] {
  const [inA, inB] = [a && valuesIn(a), b && valuesIn(b)];
  const narrows = inB !== undefined && (inA === undefined || inA.some((value) => !accepted(inB, value)));
  const widens = inA !== undefined && (inB === undefined || inB.some((value) => !accepted(inA, value)));
  return effect(path, a, b, narrows, widens);
}

function isAmong(values: readonly ValueNode[], { identity }: ValueNode): boolean {
  return values.some((value) => value.identity === identity);
}

/** An `integer` is also a `number`. */
function accepts(types: readonly ValueNode[], type: ValueNode): boolean {
  return isAmong(types, type) || (stringIn(type) === 'integer' && types.some((other) => stringIn(other) === 'number'));
}

function isTrue(node: ContractSide): boolean {
  return node !== undefined && textOf(node) === 'true';
}

/** A change of validity; none if the same values are valid. */
function effect(path: string, a: ContractSide, b: ContractSide, narrows: boolean, widens: boolean): SchemaChange[] {
  return narrows || widens ? [change(path, a, b, narrows, widens)] : [];
}

function change(path: string, a: ContractSide, b: ContractSide, narrows: boolean, widens: boolean): SchemaChange {
  const detail = narrows === widens ? 'changed' : narrows ? 'narrowed' : 'widened';
  return { path, a, b, detail, narrows, widens };
}
