import { format, type Schema, type SchemaDraft, type ValidationResult, validate } from '@cfworker/json-schema';
import { RE2JS } from 're2js';
import { type ReferenceTable, SchemaReferences } from './schema-references.ts';
import { CHARACTERS, countedValue, REREAD, UnusableSchema, ValidationBudget } from './validation-budget.ts';

const MAX_SUBSCHEMAS = 5000;
const DEEPEST = 64;
/** The size of all compiled patterns of a schema together. */
const MAX_PATTERN_SIZE = 20_000;

/** The units of work for a visit of a subschema, and how many instructions of a pattern are one unit. */
const VISIT = 20;
const INSTRUCTIONS = 10;
/** The units for the use of a pattern, whatever its size. */
const PATTERN_USE = 20;

const MAPS: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'],
]);
const DATA: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples', 'required', 'dependentRequired']);
/** Keywords whose whole value the validator reads, compares or writes into a message. */
const COMPARED: readonly string[] = [
  ...['type', 'const', 'enum', 'required', 'dependentRequired', 'multipleOf', 'uniqueItems'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength', 'minItems', 'maxItems'],
  ...['minContains', 'maxContains', 'minProperties', 'maxProperties'],
];
/** Keywords of which the validator goes through all names. */
const NAMING: readonly string[] = ['properties', 'dependentSchemas', 'dependencies'];
/** Under these keywords, a more permissive subschema can make the whole schema stricter. */
const TURNING: ReadonlySet<string> = new Set(['not', 'oneOf', 'if', 'contains', 'maxContains']);

/** Names the tests of patterns among the formats of the validator. No schema can name one: formats are removed. */
const OUR_FORMAT = 'mcpreel pattern ';
let formats = 0;

interface PatternTest {
  readonly source: string;
  readonly test: (text: string) => boolean;
}

interface FoundSchema {
  readonly value: unknown;
  readonly depth: number;
  readonly isMap: boolean;
  /** The URI of the schema around it, to which references are relative. */
  readonly base: string | undefined;
}

/**
 * A schema from an untrusted source that is safe to interpret. Its patterns run in RE2 and never in the backtracking
 * engine, formats are removed because they are annotations, references lead only to what was made safe, and everything
 * that the validator does is paid from one budget.
 */
export class BoundedSchema {
  readonly #schema: Record<string, unknown>;
  readonly #draft: SchemaDraft;
  readonly #lookup: ReferenceTable;
  readonly #budget = new ValidationBudget();
  readonly #patterns = new Map<string, SafePattern | undefined>();
  readonly #formats = new Map<string, PatternTest>();
  /** The names of all members of the current value, for the patterns of `patternProperties`. */
  #keys: readonly string[] = [];
  /** The length of the longest string in the current value. */
  #longest = 0;
  #patternSize = 0;
  #comparesElements = false;
  /** Whether the current value has a list with equal elements. Only then are elements compared, each with every other. */
  #hasEqual = false;

  /** Throws `UnusableSchema` if it cannot be made safe. Changes the given object. */
  constructor(schema: unknown, draft: SchemaDraft) {
    if (!isObject(schema)) throw new UnusableSchema('it is not an object');
    this.#schema = schema;
    this.#draft = draft;
    const references = new SchemaReferences();
    const subschemas = subschemasOf(schema, references);
    // Data is not made safe, so no reference may lead to it.
    this.#lookup = references.table(subschemas);
    this.#boundAll(subschemas);
  }

  /** Validates a value. Throws `UnusableSchema` if that takes more work than allowed. */
  validate(value: unknown, units: number): ValidationResult {
    this.#budget.allow(units);
    const { keys, longest, values } = factsOf(value);
    this.#hasEqual = this.#comparesElements && hasEqualElements(values);
    this.#keys = keys;
    this.#longest = longest;
    for (const [name, { test }] of this.#formats) format[name] = test;
    try {
      return validate(
        countedValue(value, this.#budget, this.#hasEqual ? REREAD : 1),
        this.#schema as Schema,
        this.#draft,
        this.#lookup,
      );
    } finally {
      for (const name of this.#formats.keys()) delete format[name];
    }
  }

  /** The pattern that a string does not match, if this is the validator's error about it. */
  patternIn(error: string): string | undefined {
    return this.#formats.get(/"(.*)"/.exec(error)?.[1] ?? '')?.source;
  }

  #boundAll(subschemas: ReadonlySet<Record<string, unknown>>): void {
    const all = [...subschemas];
    const turns = all.some((value) => Object.keys(value).some((key) => TURNING.has(key)));
    const isWhole = all.map((value) => this.#bound(value)).every(Boolean);
    if (!isWhole && turns) throw new UnusableSchema('it has a pattern that cannot be checked safely');
  }

  /** Makes one subschema safe; returns whether all of it is still checked. */
  #bound(value: Record<string, unknown>): boolean {
    if ('$recursiveRef' in value) throw new UnusableSchema('it uses $recursiveRef');
    delete value.format;
    const isWhole = this.#boundPattern(value);
    this.#boundPatternProperties(value);
    const cost = VISIT + sizeOf(value);
    // The validator counts the characters of a string again for each of these.
    const counts = value.minLength !== undefined || value.maxLength !== undefined;
    const spend = (): void => this.#budget.spend(counts ? cost + this.#longest / CHARACTERS : cost);
    this.#boundUniqueItems(value);
    // The validator reads this member (of draft 2019-09 only) on every visit of a subschema.
    Object.defineProperty(value, '$recursiveAnchor', { get: spend, enumerable: false });
    return isWhole;
  }

  /** Has the validator compare the elements of lists only if any are equal. */
  #boundUniqueItems(value: Record<string, unknown>): void {
    const given = value.uniqueItems;
    if (!given) return;
    this.#comparesElements = true;
    Object.defineProperty(value, 'uniqueItems', { enumerable: true, get: () => this.#hasEqual && given });
  }

  /** Has the validator call RE2, under the name of a format. */
  #boundPattern(value: Record<string, unknown>): boolean {
    const { pattern: source } = value;
    delete value.pattern;
    if (typeof source !== 'string') return true;
    const pattern = this.#patternOf(source);
    if (pattern === undefined) return false;
    const name = `${OUR_FORMAT}${++formats}`;
    this.#formats.set(name, { source, test: (text) => this.#test(pattern, text) });
    value.format = name;
    return true;
  }

  /**
   * Replaces each pattern for names, on every visit, by the names in the current value that match it: RE2 decides which
   * do, and a list of names needs no backtracking.
   */
  #boundPatternProperties(value: Record<string, unknown>): void {
    const given = value.patternProperties;
    if (!isObject(given)) return;
    const pairs = Object.entries(given).map(([source, inner]) => {
      const pattern = this.#patternOf(source);
      if (pattern === undefined) throw new UnusableSchema('it has a pattern that cannot be checked safely');
      return [pattern, inner] as const;
    });
    Object.defineProperty(value, 'patternProperties', {
      enumerable: true,
      get: () => Object.fromEntries(pairs.map(([pattern, inner], i) => [this.#namesFor(pattern, i), inner])),
    });
  }

  #namesFor(pattern: SafePattern, index: number): string {
    const names = this.#keys.filter((key) => this.#test(pattern, key));
    this.#budget.spend(names.length * names.length);
    // A number of repetitions of nothing keeps equal lists of names apart.
    return `^(?:${[NOTHING, ...names.map(escaped)].join('|')})$(?:){${index}}`;
  }

  #test(pattern: SafePattern, text: string): boolean {
    this.#budget.spend(PATTERN_USE + (pattern.size * text.length) / INSTRUCTIONS);
    return pattern.test(text);
  }

  #patternOf(source: string): SafePattern | undefined {
    if (!this.#patterns.has(source)) {
      const pattern = this.#patternSize > MAX_PATTERN_SIZE ? undefined : safePattern(source);
      this.#patternSize += pattern?.size ?? 0;
      this.#patterns.set(source, pattern);
    }
    return this.#patterns.get(source);
  }
}

/** All subschemas of a schema. Iterative, because the author of the schema controls its depth. */
function subschemasOf(
  schema: Record<string, unknown>,
  references: SchemaReferences,
): ReadonlySet<Record<string, unknown>> {
  const known = new Set<Record<string, unknown>>();
  const found: FoundSchema[] = [{ value: schema, depth: 0, isMap: false, base: undefined }];
  for (const { value, depth, isMap, base: outer } of found) {
    if (!isObject(value)) continue;
    if (found.length > MAX_SUBSCHEMAS) throw new UnusableSchema('it is too large');
    if (depth > DEEPEST) throw new UnusableSchema('it is too deep');
    const base = isMap ? outer : references.take(value, outer);
    if (!isMap) known.add(value);
    for (const [key, inner] of Object.entries(value)) {
      if (!isMap && DATA.has(key)) continue;
      const isInnerMap = !isMap && MAPS.has(key);
      for (const one of [inner].flat()) found.push({ value: one, depth: depth + 1, isMap: isInnerMap, base });
    }
  }
  return known;
}

/** Matches no text. */
const NOTHING = '[^\\s\\S]';

function escaped(name: string): string {
  return name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** The size of what the validator goes through on each visit of a subschema: names, and values to compare with. */
function sizeOf(value: Record<string, unknown>): number {
  const values = COMPARED.map((key) => value[key]).filter((one) => one !== undefined);
  const names = NAMING.flatMap((key) => (isObject(value[key]) ? Object.keys(value[key]) : []));
  return (
    values.reduce<number>((sum, one) => sum + JSON.stringify(one).length, 0) +
    names.reduce((sum, name) => sum + 1 + name.length / CHARACTERS, 0)
  );
}

interface ValueFacts {
  /** The names of all members, each once. */
  readonly keys: readonly string[];
  /** The length of the longest string. */
  readonly longest: number;
  /** The value and all values in it, each after the one that contains it. */
  readonly values: readonly unknown[];
}

/** What has to be known about a value before it is validated. */
function factsOf(value: unknown): ValueFacts {
  const keys = new Set<string>();
  let longest = 0;
  const found: unknown[] = [value];
  for (const one of found) {
    if (typeof one === 'string') longest = Math.max(longest, one.length);
    if (!isObject(one)) continue;
    const isList = Array.isArray(one);
    for (const [key, inner] of Object.entries(one)) {
      if (!isList) keys.add(key);
      found.push(inner);
    }
  }
  return { keys: [...keys], longest, values: found };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** A pattern of an untrusted schema. It takes time in proportion to its size and the length of the text. */
interface SafePattern {
  /** The number of instructions; each may be run once for each character. */
  readonly size: number;
  test(text: string): boolean;
}

const MAX_PATTERN = 1000;
/** The sum of all counts such as `{20}`, which multiply the size of the compiled pattern. */
const MAX_COUNTS = 2000;

/**
 * Compiles a pattern with RE2, which never backtracks. Returns `undefined` for one that RE2 does not have, such as a
 * lookahead or a backreference, and for one that is too large.
 */
function safePattern(source: string): SafePattern | undefined {
  const counts = [...source.matchAll(/\d+/g)].reduce((sum, [digits]) => sum + Number(digits), 0);
  if (source.length > MAX_PATTERN || counts > MAX_COUNTS) return undefined;
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(source));
    return { size: compiled.programSize(), test: (text) => compiled.test(text) };
  } catch {
    return undefined;
  }
}

/**
 * Whether any list among these values has two equal elements. Every value comes after the one that contains it. Takes
 * time in proportion to their number: equal values get the same number, and a list is described by those of its elements.
 */
function hasEqualElements(values: readonly unknown[]): boolean {
  const numbers = new Map<string, number>();
  const numberOf = new Map<unknown, number>();
  const ofValue = (value: unknown): number | undefined =>
    typeof value === 'object' && value !== null ? numberOf.get(value) : numbered(numbers, JSON.stringify(value));
  for (const value of values.toReversed()) {
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value)) {
      const elements = value.map(ofValue);
      if (new Set(elements).size < elements.length) return true;
      numberOf.set(value, numbered(numbers, `[${elements.join()}]`));
    } else {
      const members = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}:${ofValue(inner)}`);
      numberOf.set(value, numbered(numbers, `{${members.sort().join()}}`));
    }
  }
  return false;
}

/** The number of a description, which is new if the description is. */
function numbered(numbers: Map<string, number>, description: string): number {
  const known = numbers.get(description) ?? numbers.size;
  numbers.set(description, known);
  return known;
}
