import { maxLengthFor, patternCost } from './pattern-cost.ts';

/** A schema that can be interpreted without harm, whoever wrote it. */
export interface BoundedSchema {
  readonly schema: object;
  /** The longest string that its patterns may be tried on. */
  readonly maxString: number;
  /** Whether it compares elements with each other. */
  readonly comparesItems: boolean;
  /** Allows this many visits of subschemas from now on; one more throws. */
  allowVisits(count: number): void;
}

/** Why a schema is not used, as the end of a sentence. */
export class UnusableSchema extends Error {}

const MAX_SUBSCHEMAS = 5000;
const DEEPEST = 64;

const MAPS: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'],
]);
const DATA: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples', 'required', 'dependentRequired']);
/** Under these, a schema that takes more makes another take less. */
const TURNING: ReadonlySet<string> = new Set(['not', 'oneOf', 'if', 'contains', 'maxContains']);

interface FoundSchema {
  readonly value: unknown;
  readonly depth: number;
  readonly isMap: boolean;
}

/**
 * Makes a parsed schema safe to interpret, in place. Formats go: they are remarks to people. A pattern without a bound goes
 * where that can only let more pass; else the whole schema is not used. Every visit of a subschema is counted.
 */
export function boundSchema(schema: unknown): BoundedSchema {
  if (!isObject(schema)) throw new UnusableSchema('it is no object');
  let visitsLeft = 0;
  let maxString = Number.POSITIVE_INFINITY;
  let comparesItems = false;
  let turns = false;
  const wild: Record<string, unknown>[] = [];
  const bound = (pattern: string): boolean => {
    const cost = patternCost(pattern);
    if (cost !== undefined) maxString = Math.min(maxString, maxLengthFor(cost));
    return cost !== undefined;
  };

  // No recursion: whoever wrote the schema also chose its depth.
  const found: FoundSchema[] = [{ value: schema, depth: 0, isMap: false }];
  for (const { value, depth, isMap } of found) {
    if (!isObject(value)) continue;
    if (found.length > MAX_SUBSCHEMAS) throw new UnusableSchema('it is too large');
    if (depth > DEEPEST) throw new UnusableSchema('it is too deep');
    if (!isMap) {
      if ('$recursiveRef' in value) throw new UnusableSchema('it uses $recursiveRef');
      if (typeof value.pattern === 'string' && !bound(value.pattern)) wild.push(value);
      if (!Object.keys(asObject(value.patternProperties)).every(bound)) {
        throw new UnusableSchema('it has a pattern that may take for ever');
      }
      if (typeof value.format === 'string') delete value.format;
      comparesItems ||= value.uniqueItems === true;
      turns ||= Object.keys(value).some((key) => TURNING.has(key));
      countVisits(value, () => {
        if (visitsLeft-- <= 0) throw new UnusableSchema('checking against it takes too long');
      });
    }
    for (const [key, inner] of Object.entries(value)) {
      if (!isMap && DATA.has(key)) continue;
      const isInnerMap = !isMap && MAPS.has(key);
      for (const one of [inner].flat()) found.push({ value: one, depth: depth + 1, isMap: isInnerMap });
    }
  }
  if (wild.length > 0 && turns) throw new UnusableSchema('it has a pattern that may take for ever');
  for (const value of wild) delete value.pattern;
  const allowVisits = (count: number): void => {
    visitsLeft = count;
  };
  return { schema, maxString, comparesItems, allowVisits };
}

/** The interpreter asks every subschema for this member, of revision 2019-09 alone, whenever it comes by. */
function countVisits(schema: object, count: () => void): void {
  Object.defineProperty(schema, '$recursiveAnchor', { get: count, enumerable: false });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function asObject(value: unknown): object {
  return isObject(value) ? value : {};
}
